import { failure } from '../../kernel/errors.js';
import { writeClientEvent, type ClientEvent } from '../client-event.js';
import { flagsEventType, isMergeable, MergedFlags, type FlagsEvent } from './merged-flags.js';
import { heartbeat, type QueueOptions } from './queue-options.js';

/** What a queue nobody reads may grow to before it ends; its client then registers again and gets the whole state. */
export const queueBounds = { events: 20_000, characters: 16 * 1024 * 1024 } as const;

/** Whose queue it is, and what it is called. */
export interface QueueOwner {
  readonly id: string;
  readonly userId: number;
}

interface QueuedEvent {
  /** See {@link writeClientEvent}. */
  readonly text: string;
  /** What it counts for, in characters. */
  readonly size: number;
}

/** A change of a flag that the client was not given yet: further ones are told of with it. */
interface OpenChange {
  readonly id: number;
  readonly changes: MergedFlags;
}

interface HeldPoll {
  readonly answer: (events: string) => void;
  readonly refuse: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The events that one client has yet to acknowledge (facts of the events, section 1). Ids rise from 0; an acknowledgement drops
 * what it covers, and what was not acknowledged is answered again, so that a lost reply loses nothing.
 */
export class EventQueue {
  /** By id, rising. */
  private readonly events = new Map<number, QueuedEvent>();
  /** By flag. */
  private readonly open = new Map<string, OpenChange>();
  private characters = 0;
  private nextId = 0;
  /** The last id that the client has said that it has. */
  private acknowledged = -1;
  /** The last id that a reply held. */
  private delivered = -1;
  private held: HeldPoll | null = null;
  private ended = false;

  /** By the monotonic clock, in milliseconds: when it was last asked, or answered. */
  private askedAt = performance.now();

  constructor(
    readonly owner: QueueOwner,
    readonly options: QueueOptions,
  ) {}

  /** Whether it has outgrown what a client may leave unread. */
  get isOverfull(): boolean {
    return this.events.size > queueBounds.events || this.characters > queueBounds.characters;
  }

  /** Whether nobody has asked for longer than it lives. */
  isIdle(now = performance.now()): boolean {
    return this.held === null && now - this.askedAt > this.options.idleSeconds * 1000;
  }

  /** Adds an event; a held poll is answered by {@link flush}, so that events of one moment go out together. */
  push(event: ClientEvent): void {
    if (isMergeable(event)) {
      this.merge(event);
      return;
    }
    // No change of a flag is told of before one that it took back.
    if (event.type === flagsEventType) this.open.delete(String(event['flag']));
    const text = writeClientEvent(event);
    this.add({ text, size: text.length });
  }

  private merge(event: FlagsEvent): void {
    const { flag } = event;
    const open = this.open.get(flag);
    const merges = open?.changes.isLike(event) === true;
    if (merges) this.drop(open.id);
    const changes = merges ? open.changes : new MergedFlags(event);
    if (merges) changes.add(event);
    this.open.set(flag, { id: this.add(changes), changes });
  }

  private add(event: QueuedEvent): number {
    const id = this.nextId;
    this.nextId += 1;
    this.events.set(id, event);
    this.characters += event.size;
    return id;
  }

  private drop(id: number): void {
    this.characters -= this.events.get(id)?.size ?? 0;
    this.events.delete(id);
  }

  /** Answers a held poll, if there is anything to answer. */
  flush(): void {
    if (this.held !== null && this.events.size > 0) this.release(this.held);
  }

  /**
   * Drops what the client has.
   *
   * @throws ApplicationError when it acknowledges what it was never given, or less than it did before
   */
  acknowledge(lastEventId: number): void {
    if (lastEventId < this.acknowledged) {
      throw failure('badRequest', {
        reason: `An event newer than ${lastEventId} has already been pruned!`,
      });
    }
    if (lastEventId > this.delivered) {
      throw failure('badRequest', { reason: `Event ${lastEventId} was not in this queue` });
    }
    this.acknowledged = lastEventId;
    for (const id of this.events.keys()) {
      if (id > lastEventId) break;
      this.drop(id);
    }
  }

  /** The events as a JSON array, at once. Ends a poll that was held before: the client has begun another. */
  take(): string {
    this.askedAt = performance.now();
    this.endHeldPoll();
    return this.write();
  }

  /**
   * Like {@link take}, but waits for an event when there is none.
   *
   * @param milliseconds after which a heartbeat is answered
   * @throws ApplicationError `badEventQueueId` when the queue ends meanwhile
   */
  poll(milliseconds: number): Promise<string> {
    this.endHeldPoll();
    if (this.events.size > 0 || this.ended) return Promise.resolve(this.take());
    return new Promise((answer, refuse) => {
      const timer = setTimeout(() => {
        this.push({ type: heartbeat });
        this.flush();
      }, milliseconds);
      this.held = { answer, refuse, timer };
    });
  }

  /** Answers a held poll with whatever there is, nothing included. */
  endHeldPoll(): void {
    if (this.held !== null) this.release(this.held);
  }

  /** Drops events that nobody is to read any more. */
  forget(isGone: (event: Readonly<Record<string, unknown>>) => boolean): void {
    for (const [id, { text }] of this.events) {
      if (isGone(JSON.parse(`{${text}`) as Record<string, unknown>)) this.drop(id);
    }
  }

  /** The queue is gone: whoever waits for it has to register again. */
  end(): void {
    this.ended = true;
    const { held } = this;
    if (held === null) return;
    this.held = null;
    clearTimeout(held.timer);
    held.refuse(failure('badEventQueueId', { queue_id: this.owner.id }));
  }

  private release({ answer, timer }: HeldPoll): void {
    this.held = null;
    clearTimeout(timer);
    this.askedAt = performance.now();
    answer(this.write());
  }

  private write(): string {
    this.open.clear();
    const texts: string[] = [];
    for (const [id, { text }] of this.events) {
      texts.push(`{"id":${id},${text}`);
      this.delivered = id;
    }
    return `[${texts.join(',')}]`;
  }
}
