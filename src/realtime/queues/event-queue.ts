import { inOlderNames } from '../../http/older-names.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { writeClientEvent, type ClientEvent } from '../client-event.js';
import { atRegistration, EventIds, type EventSource, type QueueProgress } from './event-ids.js';
import type { Ledger } from './held.js';
import { flagsEventType, isMergeable, MergedFlags, type FlagsEvent } from './merged-flags.js';
import { heartbeat, type QueueOptions } from './queue-options.js';
import { UnreadEvents } from './unread-events.js';

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
 * The events that one client has yet to acknowledge (facts of the events, section 1). Ids rise; an acknowledgement drops
 * what it covers, and what was not acknowledged is answered again, so that a lost reply loses nothing.
 */
export class EventQueue {
  private readonly unread: UnreadEvents;
  private readonly ids: EventIds;
  /** By flag. */
  private readonly open = new Map<string, OpenChange>();
  /** How many events came from the last position of the log. */
  private ofPosition = { position: -1, count: 0 };
  /** Through which position of the log everything was told before the last event. */
  private dispatchedThrough: number;
  /** The last id that the client has said that it has. */
  private acknowledged: number;
  /** The last id that a reply held. */
  private delivered: number;
  private held: HeldPoll | null = null;
  private ended = false;
  private isOutOfIds = false;
  private settled: number;

  /** By the monotonic clock, in milliseconds: when it was last asked, or answered. */
  private askedAt = performance.now();

  /** @param ledger counts what it holds */
  constructor(
    readonly owner: QueueOwner,
    readonly options: QueueOptions,
    private ledger: Ledger,
    progress: QueueProgress = atRegistration(0),
  ) {
    this.ids = new EventIds(progress);
    this.unread = new UnreadEvents(ledger);
    this.dispatchedThrough = this.settled = progress.base;
    this.acknowledged = this.delivered = progress.acknowledged;
    ledger.add(options);
  }

  /** Whether it has outgrown what a client may leave unread: the client then registers again and gets the whole state. */
  get isOverfull(): boolean {
    const { length, bytes } = this.unread;
    return this.isOutOfIds || length > budgets.eventQueueEvents.max || bytes > budgets.eventQueueBytes.max;
  }

  /** When it was last asked, by the monotonic clock in milliseconds. Infinite while a poll is held. */
  get lastAsked(): number {
    return this.held === null ? this.askedAt : Infinity;
  }

  /** Whether nobody has asked for longer than it lives. */
  isIdle(now = performance.now()): boolean {
    return now - this.lastAsked > this.options.idleSeconds * 1000;
  }

  /** How far its client is, to be kept. */
  get progress(): QueueProgress {
    const { base, first } = this.ids;
    return { base, first, acknowledged: this.acknowledged };
  }

  /**
   * Through which position of the log the client has everything, where all queues were told of all through another. It never
   * goes back.
   */
  settledThrough(dispatchedThrough: number): number {
    return (this.settled = Math.max(this.settled, Math.min(dispatchedThrough, this.unread.settledThrough)));
  }

  /**
   * Adds an event; a held poll is answered by {@link flush}, so that events of one moment go out together. One that the client
   * has already is passed over.
   */
  push(event: ClientEvent, source: EventSource): void {
    if (this.ended) return;
    const hasFirst = this.acknowledged === 0 && this.ids.first === null;
    const id = this.nextId(source);
    if (hasFirst) this.acknowledged = this.delivered = this.ids.first ?? 0;
    if (id === null || id <= this.acknowledged) return;
    const after = source.position === null ? Infinity : source.after;
    if (isMergeable(event)) return this.merge(event, { id, after });
    // No change of a flag is told of before one that it took back.
    if (event.type === flagsEventType) this.open.delete(String(event['flag']));
    this.unread.add({ id, after, event: writeClientEvent(event) });
  }

  /** Null: there is none; the queue ends, or does without what is of the moment. */
  private nextId({ position, after }: EventSource): number | null {
    this.dispatchedThrough = Math.max(this.dispatchedThrough, after);
    if (position === null) return this.ids.nextOfMoment(after);
    if (this.ofPosition.position !== position) this.ofPosition = { position, count: 0 };
    const id = this.ids.next(position, this.ofPosition.count);
    this.ofPosition.count += 1;
    this.isOutOfIds ||= id === null;
    return id;
  }

  private merge(event: FlagsEvent, { id, after }: { readonly id: number; readonly after: number }): void {
    const { flag } = event;
    const open = this.open.get(flag);
    const merges = open?.changes.isLike(event) === true;
    const before = merges ? this.unread.remove(open.id) : undefined;
    const changes = merges ? open.changes : new MergedFlags(event, id);
    if (merges) changes.add(event);
    this.open.set(flag, { id, changes });
    this.unread.add({ id, after: before?.after ?? after, event: changes });
  }

  /** Answers a held poll, if there is anything to answer. */
  flush(): void {
    if (this.held !== null && this.unread.length > 0) this.release(this.held);
  }

  /**
   * Drops what the client has.
   *
   * @throws ApplicationError when it acknowledges what it was never given, or less than it did before
   */
  acknowledge(lastEventId: number): void {
    const id = this.ids.meant(lastEventId);
    if (id > this.delivered || this.ids.isNone(lastEventId)) {
      throw failure('eventNotInQueue', { reason: lastEventId });
    }
    if (id < this.acknowledged) {
      throw failure('eventsPruned', { reason: lastEventId });
    }
    this.acknowledged = id;
    this.unread.removeThrough(id);
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
    if (this.unread.length > 0 || this.ended) return Promise.resolve(this.take());
    return new Promise((answer, refuse) => {
      const timer = setTimeout(() => {
        this.push({ type: heartbeat }, { position: null, after: this.dispatchedThrough });
        this.endHeldPoll();
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
    this.unread.removeOfMessage(messageId);
  }

  /** Has somebody else count what it holds. */
  countFor(ledger: Ledger): void {
    this.ledger.remove(this.options);
    ledger.add(this.options);
    this.unread.countFor(ledger);
    this.ledger = ledger;
  }

  /** The queue is gone: whoever waits for it has to register again. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.unread.clear();
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

  /**
   * As many of the first events as a reply may hold, and one at least: the client asks for the next ones after these. A reply never
   * ends within what merged changes span: the client would acknowledge the first of them unread.
   */
  private write(): string {
    this.open.clear();
    const texts: string[] = [];
    let bytes = 0;
    for (const [index, { id, event }] of this.unread.all.entries()) {
      bytes += event.bytes;
      if (index > 0 && bytes > budgets.eventReplyBytes.max && !this.isWithinMerged(index)) break;
      this.delivered = id;
      texts.push(`{"id":${this.ids.shown(id)},${event.text}`);
    }
    const text = `[${texts.join(',')}]`;
    return this.options.usesOlderNames ? inOlderNames(text) : text;
  }

  /** Whether an event from an index on tells of a change, too, that was made before those already delivered. */
  private isWithinMerged(index: number): boolean {
    return this.unread.all
      .slice(index)
      .some(({ event }) => event instanceof MergedFlags && event.firstId < this.delivered);
  }
}
