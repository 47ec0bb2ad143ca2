import { inOlderNames } from '../../http/older-names.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { ClientEvent } from '../client-event.js';
import { atRegistration, EventIds, type EventSource, type QueueProgress } from './event-ids.js';
import type { MemoryCounter } from './queue-memory.js';
import { HEARTBEAT, type QueueOptions } from './queue-options.js';
import { UnreadEvents } from './unread-events.js';

/** The id of a queue, and the account that it belongs to. */
export interface QueueOwner {
  readonly id: string;
  readonly userId: number;
}

/** What fills the queues. */
interface Dispatched {
  /** Position of the log through which every event was dispatched. */
  readonly dispatchedThrough: number;
}

/** How a queue begins. */
interface QueueBeginning {
  /** Accounts for the memory that the queue takes. */
  readonly counter: MemoryCounter;
  /** Absent: it is new, and at the start of the log. */
  readonly progress?: QueueProgress;
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
  /** How many events came from the last log position. */
  private ofPosition = { position: -1, count: 0 };
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

  private counter: MemoryCounter;

  constructor(
    readonly owner: QueueOwner,
    readonly options: QueueOptions,
    { counter, progress = atRegistration(0) }: QueueBeginning,
  ) {
    this.counter = counter;
    this.ids = new EventIds(progress);
    this.unread = new UnreadEvents(counter);
    this.acknowledgedPosition = progress.base;
    this.acknowledged = this.delivered = progress.acknowledged;
    counter.add(options);
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
    this.unread.push(event, { id, after: source.position === null ? Infinity : source.after });
  }

  /** Null: no id is left. The queue then ends. */
  private nextId({ position, after }: EventSource): number | null {
    const id = position === null ? this.ids.nextOutsideLog(after) : this.nextIdOf(position);
    this.isOutOfIds ||= id === null;
    return id;
  }

  private nextIdOf(position: number): number | null {
    if (this.ofPosition.position !== position) this.ofPosition = { position, count: 0 };
    const id = this.ids.next(position, this.ofPosition.count);
    this.ofPosition.count += 1;
    return id;
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
   * @param feed has the log position at that time, because the heartbeats of a quiet queue would use up the ids of one position
   * @throws ApplicationError `badEventQueueId` when the queue ends meanwhile
   */
  poll(milliseconds: number, feed: Dispatched): Promise<string> {
    this.endHeldPoll();
    if (this.unread.length > 0 || this.ended) return Promise.resolve(this.take());
    return new Promise((answer, refuse) => {
      const timer = setTimeout(() => {
        this.push({ type: HEARTBEAT }, { position: null, after: feed.dispatchedThrough });
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

  /** Moves the accounting of its memory to another counter. */
  countFor(counter: MemoryCounter): void {
    this.counter.remove(this.options);
    counter.add(this.options);
    this.unread.countFor(counter);
    this.counter = counter;
  }

  /** Ends the queue: a client that waits on it has to register again. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.unread.clear();
    this.counter.remove(this.options);
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

  /** As many of the first events as fit into a reply; the client polls again for the rest. */
  private write(): string {
    const events = this.unread.forReply();
    this.delivered = events.at(-1)?.id ?? this.delivered;
    const texts = events.map(({ id, event }) => `{"id":${this.ids.shown(id)},${event.text}`);
    const text = `[${texts.join(',')}]`;
    return this.options.usesOlderNames ? inOlderNames(text) : text;
  }
}
