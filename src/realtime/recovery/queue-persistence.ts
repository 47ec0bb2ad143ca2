import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { pause } from '../../../projections/engine/pause.js';
import type { Logger } from '../../../projections/engine/logger.js';
import type { Clock } from '../../kernel/clock.js';
import type { QueueStore, StoredQueue } from '../../stores/queue-store/port.js';
import type { EventQueue } from '../queues/event-queue.js';
import type { EventQueues, QueueEndings } from '../queues/event-queues.js';
import type { PastDirectories } from './past-directories.js';
import { writeOptions } from './stored-options.js';

/** What a {@link QueuePersistence} depends on. */
interface QueuePersistenceOptions {
  readonly store: QueueStore;
  readonly queues: EventQueues;
  /** Directories that may contain erased people, which are dropped on erasure. */
  readonly past: Pick<PastDirectories, 'forget'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Unique among all processes that share the stores. */
  readonly processName: string;
}

/** Interval in which the progress of clients is stored, in milliseconds. */
const INTERVAL = 3_000;

/**
 * How long after its last heartbeat a process counts as alive, in milliseconds: longer than two intervals.
 */
export const PROCESS_TIMEOUT = 10_000;

/**
 * How long a queue is stored beyond its expiry, in milliseconds, so that the expiry need not be stored again
 * at each request.
 */
const GRACE = 120_000;

/** Interval between removals of expired queues, in milliseconds. */
const SWEEP = 60_000;

/** How many queues are stored at once. */
const CHUNK = 500;

/**
 * Stores the queues of this process so that they outlive it: each when its client registers, and every few
 * seconds the progress of clients that polled. Progress that was not stored is no loss: more events are made
 * again then, and their ids tell which of them a client has.
 */
export class QueuePersistence implements QueueEndings {
  /** The last stored state of each queue, for comparison. */
  private readonly written = new WeakMap<EventQueue, string>();
  /** Ids of queues that ended, and may still be stored. */
  private forgotten = new Set<string>();
  /**
   * Queues whose clients registered before this log position are to be removed: their options may name an
   * erased person.
   */
  private forgetsBefore = -1;
  private removedBefore = -1;
  private sweptAt = 0;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private forgetting: Promise<void> | null = null;
  private dispatchedThrough = (): number => -1;

  constructor(private readonly options: QueuePersistenceOptions) {}

  /** Sets the feed, which knows up to which position events were dispatched to the queues of this process. */
  follow(feed: { readonly dispatchedThrough: number }): void {
    this.dispatchedThrough = () => feed.dispatchedThrough;
  }

  /** Registers this process as alive, then stores its queues until it is stopped. */
  async start(): Promise<void> {
    await this.options.store.noteHolder(this.options.processName, this.aliveUntil);
    this.options.queues.endings = this;
    this.running = this.run();
  }

  /**
   * Stores the progress of all clients, and marks the process as gone, so that another one may take its
   * queues over at once.
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    const { store, queues, processName } = this.options;
    queues.endings = { ended: () => {}, forgottenBefore: () => {} };
    await this.trying(async () => {
      await this.keepAll();
      await store.noteHolder(processName, null);
    });
  }

  /** Stores a queue that has just been opened. A failure is retried; the client is served meanwhile. */
  async opened(queue: EventQueue): Promise<void> {
    await this.trying(() => this.put([queue]));
  }

  ended({ owner }: EventQueue): void {
    void this.forget(owner.id);
  }

  /** Resolves when the stored queue is removed, or when the store does not answer: then it is retried. */
  forget(id: string): Promise<void> {
    this.forgotten.add(id);
    this.forgetting ??= yieldToEventLoop().then(() => {
      this.forgetting = null;
      return this.trying(() => this.removeForgotten());
    });
    return this.forgetting;
  }

  forgottenBefore(position: number): void {
    this.options.past.forget();
    this.forgetsBefore = Math.max(this.forgetsBefore, position);
    void this.trying(() => this.removeForgotten());
  }

  /** A stored queue; null: it is not stored, has expired, or has ended. */
  async find(id: string): Promise<StoredQueue | null> {
    if (this.forgotten.has(id)) return null;
    const found = await this.options.store.find(id);
    if (found === null || found.base < this.forgetsBefore) return null;
    return found.until < this.options.clock.now() ? null : found;
  }

  private get aliveUntil(): number {
    return this.options.clock.now() + PROCESS_TIMEOUT;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      await pause(INTERVAL, signal);
      if (signal.aborted) return;
      await this.trying(async () => {
        await this.options.store.noteHolder(this.options.processName, this.aliveUntil);
        await this.keepAll();
        await this.sweep();
      });
    }
  }

  private async keepAll(): Promise<void> {
    await this.removeForgotten();
    const changed = [...this.options.queues.all()].filter(
      (queue) => this.written.get(queue) !== stateOf(queue),
    );
    for (let index = 0; index < changed.length; index += CHUNK) {
      await this.put(changed.slice(index, index + CHUNK));
      await yieldToEventLoop();
    }
  }

  private async put(queues: readonly EventQueue[]): Promise<void> {
    const states = queues.map(stateOf);
    const taken = new Set(await this.options.store.put(queues.map((queue) => this.stored(queue))));
    for (const [index, queue] of queues.entries()) {
      this.written.set(queue, states[index]!);
      // Another process took the queue over because it believed this one to be dead.
      if (taken.has(queue.owner.id) && this.options.queues.release(queue)) queue.end();
    }
  }

  private async removeForgotten(): Promise<void> {
    const { store, processName } = this.options;
    if (this.forgetsBefore > this.removedBefore) {
      const position = this.forgetsBefore;
      await store.removeRegisteredBefore(position);
      this.removedBefore = position;
    }
    if (this.forgotten.size === 0) return;
    const ids = [...this.forgotten];
    await store.remove(ids, processName);
    for (const id of ids) this.forgotten.delete(id);
  }

  private async sweep(): Promise<void> {
    const now = this.options.clock.now();
    if (now - this.sweptAt < SWEEP) return;
    await this.options.store.removeBefore(now);
    this.sweptAt = now;
  }

  private stored(queue: EventQueue): StoredQueue {
    const { clock, processName } = this.options;
    const { owner, options, progress, lastPolled: lastAsked } = queue;
    const idle = Math.max(performance.now() - lastAsked, 0);
    const until = Math.ceil(clock.now() - idle + options.idleSeconds * 1_000 + GRACE);
    const settled = queue.acknowledgedThrough(this.dispatchedThrough());
    return { ...owner, holder: processName, options: writeOptions(options), ...progress, settled, until };
  }

  private async trying(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.options.logger.error({ err: error }, 'Queues of events cannot be kept; trying again');
    }
  }
}

/** A value that changes with each request of the queue's client. */
function stateOf(queue: EventQueue): string {
  return `${queue.lastPolled} ${queue.progress.acknowledged}`;
}
