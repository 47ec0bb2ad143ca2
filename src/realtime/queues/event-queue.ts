import { inOlderNames } from '../../http/older-names.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { writeClientEvent, type ClientEvent } from '../client-event.js';
import { atRegistration, EventIds, type EventSource, type QueueProgress } from './event-ids.js';
import type { Ledger } from './held.js';
import { flagsEventType, isMergeable, MergedFlags, type FlagsEvent } from './merged-flags.js';
import { heartbeat, type QueueOptions } from './queue-options.js';
import { UnreadEvents } from './unread-events.js';

/** The id of a queue, and the account that it belongs to. */
export interface QueueOwner {
  readonly id: string;
  readonly userId: number;
}

/** A change of a flag that was not delivered yet: further changes are merged into it. */
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
 * The events that one client has not acknowledged yet. Ids rise; an acknowledgement drops the events that it
 * covers, and the others are sent again with each reply, so that a lost reply loses nothing.
 */
export class EventQueue {
  private readonly unread: UnreadEvents;
  private readonly ids: EventIds;
  /** Undelivered flag changes that can be merged, by flag. */
  private readonly open = new Map<string, OpenChange>();
  /** How many events came from the last log position. */
  private ofPosition = { position: -1, count: 0 };
  /** Log position up to which everything was dispatched before the last event. */
  private dispatchedThrough: number;
  /** Id of the last event that the client acknowledged. */
  private acknowledged: number;
  /** Id of the last event that a reply contained. */
  private delivered: number;
  private held: HeldPoll | null = null;
  private ended = false;
  private isOutOfIds = false;
  private acknowledgedPosition: number;

  /** When the queue was last polled or answered, by the monotonic clock in milliseconds. */
  private polledAt = performance.now();

  /** @param ledger accounts for the memory that the queue takes */
  constructor(
    readonly owner: QueueOwner,
    readonly options: QueueOptions,
    private ledger: Ledger,
    progress: QueueProgress = atRegistration(0),
  ) {
    this.ids = new EventIds(progress);
    this.unread = new UnreadEvents(ledger);
    this.dispatchedThrough = this.acknowledgedPosition = progress.base;
    this.acknowledged = this.delivered = progress.acknowledged;
    ledger.add(options);
  }

  /**
   * Whether it holds more than a client may leave unread: then it ends, and the client registers again and
   * gets the whole state.
   */
  get isOverfull(): boolean {
    const { length, bytes } = this.unread;
    return this.isOutOfIds || length > budgets.eventQueueEvents.max || bytes > budgets.eventQueueBytes.max;
  }

  /** When it was last polled, by the monotonic clock in milliseconds. Infinite during a long poll. */
  get lastPolled(): number {
    return this.held === null ? this.polledAt : Infinity;
  }

  /** Whether it was not polled for its whole lifetime. */
  isIdle(now = performance.now()): boolean {
    return now - this.lastPolled > this.options.idleSeconds * 1000;
  }

  /** How far its client is, for storing. */
  get progress(): QueueProgress {
    const { base, first } = this.ids;
    return { base, first, acknowledged: this.acknowledged };
  }

  /**
   * Log position up to which the client has all events, if all queues have everything up to
   * `dispatchedThrough`. It never decreases.
   */
  acknowledgedThrough(dispatchedThrough: number): number {
    return (this.acknowledgedPosition = Math.max(
      this.acknowledgedPosition,
      Math.min(dispatchedThrough, this.unread.acknowledgedThrough),
    ));
  }

  /**
   * Adds an event. A long poll is answered by {@link flush}, so that events of one moment go out together. An
   * event that the client has already is skipped.
   */
  push(event: ClientEvent, source: EventSource): void {
    if (this.ended) return;
    const hasFirst = this.acknowledged === 0 && this.ids.first === null;
    const id = this.nextId(source);
    if (hasFirst) this.acknowledged = this.delivered = this.ids.first ?? 0;
    if (id === null || id <= this.acknowledged) return;
    const after = source.position === null ? Infinity : source.after;
    if (isMergeable(event)) return this.merge(event, { id, after });
    // A flag change must not be merged into one from before its opposite.
    if (event.type === flagsEventType) this.open.delete(String(event['flag']));
    this.unread.add({ id, after, event: writeClientEvent(event) });
  }

  /** Null: no id is left. For an event of the log the queue then ends; other events are dropped. */
  private nextId({ position, after }: EventSource): number | null {
    this.dispatchedThrough = Math.max(this.dispatchedThrough, after);
    if (position === null) return this.ids.nextOutsideLog(after);
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

  /** Answers a long poll if there are events. */
  flush(): void {
    if (this.held !== null && this.unread.length > 0) this.release(this.held);
  }

  /**
   * Drops the events that the client acknowledges.
   *
   * @throws ApplicationError when it acknowledges an event that it was never given, or an earlier one than
   * before
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

  /**
   * Returns the events as a JSON array at once (see {@link write}). Ends an earlier long poll, because the
   * client has begun another request.
   */
  take(): string {
    this.polledAt = performance.now();
    this.endHeldPoll();
    return this.write();
  }

  /**
   * Like {@link take}, but waits for an event when there is none.
   *
   * @param milliseconds after which a heartbeat is returned
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

  /** Answers a long poll with the present events, even if there are none. */
  endHeldPoll(): void {
    if (this.held !== null) this.release(this.held);
  }

  /** Drops the events that contain the text of an erased message. */
  forgetMessage(messageId: number): void {
    this.unread.removeOfMessage(messageId);
  }

  /** Moves the accounting of its memory to another ledger. */
  countFor(ledger: Ledger): void {
    this.ledger.remove(this.options);
    ledger.add(this.options);
    this.unread.countFor(ledger);
    this.ledger = ledger;
  }

  /** Ends the queue: a client that waits on it has to register again. */
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
    this.polledAt = performance.now();
    answer(this.write());
  }

  /**
   * As many of the first events as fit into a reply, at least one; the client polls again for the rest. A
   * reply never ends within the span of merged flag changes: the client would acknowledge the first of them
   * unread.
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

  /**
   * Whether an event from an index on also contains a merged change that was made before those already
   * delivered.
   */
  private isWithinMerged(index: number): boolean {
    return this.unread.all
      .slice(index)
      .some(({ event }) => event instanceof MergedFlags && event.firstId < this.delivered);
  }
}
