import { inOlderNames } from '../../http/older-names.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { writeClientEvent, type ClientEvent, type WrittenEvent } from '../client-event.js';
import type { Ledger } from './held.js';
import { flagsEventType, isMergeable, MergedFlags, type FlagsEvent } from './merged-flags.js';
import { heartbeat, type QueueOptions } from './queue-options.js';

/** Whose queue it is, and what it is called. */
export interface QueueOwner {
  readonly id: string;
  readonly userId: number;
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
  /** Of the events, rising: gaps are of changes that were merged into later ones. */
  private readonly ids: number[] = [];
  /** By the same index as their ids. */
  private readonly events: WrittenEvent[] = [];
  /** By flag. */
  private readonly open = new Map<string, OpenChange>();
  /** Of the events' texts. */
  private bytes = 0;
  private nextId = 0;
  /** The last id that the client has said that it has. */
  private acknowledged = -1;
  /** The last id that a reply held. */
  private delivered = -1;
  private held: HeldPoll | null = null;
  private ended = false;

  /** By the monotonic clock, in milliseconds: when it was last asked, or answered. */
  private askedAt = performance.now();

  /** @param ledger counts what it holds */
  constructor(
    readonly owner: QueueOwner,
    readonly options: QueueOptions,
    private readonly ledger: Ledger,
  ) {
    ledger.add(options);
  }

  /** Whether it has outgrown what a client may leave unread: the client then registers again and gets the whole state. */
  get isOverfull(): boolean {
    return this.events.length > budgets.eventQueueEvents.max || this.bytes > budgets.eventQueueBytes.max;
  }

  /** When it was last asked, by the monotonic clock in milliseconds. Infinite while a poll is held. */
  get lastAsked(): number {
    return this.held === null ? this.askedAt : Infinity;
  }

  /** Whether nobody has asked for longer than it lives. */
  isIdle(now = performance.now()): boolean {
    return now - this.lastAsked > this.options.idleSeconds * 1000;
  }

  /** Adds an event; a held poll is answered by {@link flush}, so that events of one moment go out together. */
  push(event: ClientEvent): void {
    if (this.ended) return;
    if (isMergeable(event)) {
      this.merge(event);
      return;
    }
    // No change of a flag is told of before one that it took back.
    if (event.type === flagsEventType) this.open.delete(String(event['flag']));
    this.add(writeClientEvent(event));
  }

  private merge(event: FlagsEvent): void {
    const { flag } = event;
    const open = this.open.get(flag);
    const merges = open?.changes.isLike(event) === true;
    if (merges) this.drop(this.indexOf(open.id), 1);
    const changes = merges ? open.changes : new MergedFlags(event);
    if (merges) changes.add(event);
    this.open.set(flag, { id: this.add(changes), changes });
  }

  private add(event: WrittenEvent): number {
    const id = this.nextId;
    this.nextId += 1;
    this.ids.push(id);
    this.events.push(event);
    this.bytes += event.bytes;
    this.ledger.add(event);
    return id;
  }

  /** The index of the first event whose id is no less; their number when there is none. */
  private indexOf(id: number): number {
    let [from, to] = [0, this.ids.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.ids[middle] ?? Infinity) < id) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  private drop(index: number, count: number): void {
    this.ids.splice(index, count);
    for (const event of this.events.splice(index, count)) {
      this.bytes -= event.bytes;
      this.ledger.remove(event);
    }
  }

  /** Answers a held poll, if there is anything to answer. */
  flush(): void {
    if (this.held !== null && this.events.length > 0) this.release(this.held);
  }

  /**
   * Drops what the client has.
   *
   * @throws ApplicationError when it acknowledges what it was never given, or less than it did before
   */
  acknowledge(lastEventId: number): void {
    if (lastEventId < this.acknowledged) {
      throw failure('eventsPruned', { reason: lastEventId });
    }
    if (lastEventId > this.delivered) {
      throw failure('eventNotInQueue', { reason: lastEventId });
    }
    this.acknowledged = lastEventId;
    this.drop(0, this.indexOf(lastEventId + 1));
  }

  /** The events as a JSON array (see {@link write}), at once. Ends a poll that was held before: the client has begun another. */
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
    if (this.events.length > 0 || this.ended) return Promise.resolve(this.take());
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

  /** Drops the events that say what a message says: it was erased. */
  forgetMessage(messageId: number): void {
    for (let index = this.events.length - 1; index >= 0; index -= 1) {
      if (this.events[index]?.messageId === messageId) this.drop(index, 1);
    }
  }

  /** The queue is gone: whoever waits for it has to register again. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.drop(0, this.events.length);
    this.ledger.remove(this.options);
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

  /** As many of the first events as a reply may hold, and one at least: the client asks for the next ones after these. */
  private write(): string {
    this.open.clear();
    const texts: string[] = [];
    let bytes = 0;
    for (const [index, event] of this.events.entries()) {
      bytes += event.bytes;
      if (index > 0 && bytes > budgets.eventReplyBytes.max) break;
      this.delivered = this.ids[index] ?? this.delivered;
      texts.push(`{"id":${this.delivered},${event.text}`);
    }
    const text = `[${texts.join(',')}]`;
    return this.options.usesOlderNames ? inOlderNames(text) : text;
  }
}
