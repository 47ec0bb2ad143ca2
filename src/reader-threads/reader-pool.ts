import { Piscina } from 'piscina';
import type { Logger } from '../../projections/engine/logger.js';
import { failure } from '../kernel/errors.js';
import { EventLoopDelays } from './event-loop-delays.js';
import { FairQueue } from './fair-queue.js';
import { ReaderChannel } from './reader-channel.js';
import {
  WARM_UP,
  type ReaderComposition,
  type ReaderOutcome,
  type ReaderTask,
  type ReaderThreadData,
} from './reader-protocol.js';
import { RunningTask } from './running-task.js';
import { Waiters } from './waiters.js';
import {
  type ReaderObserver,
  type PooledTask,
  type PooledAnswer,
  type QueuedTask,
  answerWaiters,
  digestOf,
  isAlike,
} from './pooled-task.js';

/** What a {@link ReaderPool} needs. */
interface ReaderPoolOptions {
  /** How the threads create the environment of their tasks. */
  readonly composition: ReaderComposition;
  /** At least two. */
  readonly threads: number;
  /** In milliseconds. A task that runs longer is ended; one that waits longer does not start. */
  readonly timeout: number;
  /** The last position of the log that this process knows. A thread catches up with it before it runs a task. */
  readonly position: () => number | null;
  readonly logger: Logger;
  readonly observer: ReaderObserver;
  /** The thread's entry file and the arguments for Node; absent: those of the build. */
  readonly entry?: { readonly file: string; readonly execArgv?: readonly string[] };
}

/** In milliseconds. A task that has run for at least this time is logged when it ends. */
const LONG = 500;

/**
 * In mebibytes. A million subscriptions take 160. A page of messages has at most 16, and its parts are in memory twice while it is put
 * together. A thread that exceeds the limit ends; the process goes on.
 */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };

interface StartedTask {
  readonly kind: string;
  readonly running: RunningTask;
  readonly ended: Promise<void>;
}

/**
 * Threads with connections of their own, for all queries that may take long. One idle thread more than needed is kept loaded, up to the
 * maximum: a thread loads the whole directory before it can answer, which takes long in a large organization.
 */
export class ReaderPool {
  private readonly queue: FairQueue<QueuedTask>;
  private readonly pool: Piscina;
  private readonly channel = new ReaderChannel();
  private readonly delays = EventLoopDelays.memory();
  /** The tasks that threads are running, by id. */
  private readonly started = new Map<number, StartedTask>();
  private lastId = 0;
  private isWarmingUp = false;
  private isClosed = false;

  constructor(private readonly options: ReaderPoolOptions) {
    const { threads, composition, entry, logger } = options;
    this.queue = new FairQueue(threads);
    const workerData: ReaderThreadData = {
      ...composition,
      channel: this.channel.name,
      delays: this.delays,
    };
    this.pool = new Piscina({
      filename: entry?.file ?? new URL('./reader-thread.js', import.meta.url).href,
      name: 'perform',
      ...(entry?.execArgv && { execArgv: [...entry.execArgv] }),
      workerData,
      resourceLimits,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: Infinity,
      // With Atomics, an idle thread would be blocked and could not follow the log.
      atomics: 'disabled',
      recordTiming: false,
    });
    this.pool.on('error', (error: unknown) => logger.error({ err: error }, 'A reader thread died'));
  }

  /** The number of tasks that are waiting for a thread. */
  get waiting(): number {
    return this.queue.length;
  }

  /** The number of running tasks. Loading a thread does not count. */
  get running(): number {
    return [...this.started.values()].filter(({ kind }) => kind !== WARM_UP).length;
  }

  /** The delays of the threads' event loops, added up. */
  get eventLoopDelays(): EventLoopDelays {
    return new EventLoopDelays(this.delays);
  }

  /**
   * Runs a task on one of the threads.
   *
   * @throws ApplicationError the refusal of the task; `queryTimeout` when it took too long; `unavailable` when its thread died, the
   *   server stops, or too many tasks of the account are waiting
   * @throws ClientGoneError when the client has disconnected
   */
  async run(task: PooledTask): Promise<PooledAnswer> {
    if (this.isClosed) throw failure('unavailable');
    const { signal, ...rest } = task;
    const waiting = task.account === null ? [] : this.queue.of(task.account);
    const digest = waiting.length === 0 ? null : digestOf(task);
    const alike = waiting.find((other) => isAlike(other, digest));
    const queued = alike ?? this.enqueue({ ...rest, digest });
    const answer = queued.waiters.join(signal);
    this.startNext();
    return answer;
  }

  /** Loads a thread before the first query arrives. */
  async warmUp(): Promise<void> {
    const nobody = { account: null, deduplicationKey: null, isLong: false, signal: null };
    const nothing = { input: null, asReply: false, shape: '', ...nobody };
    this.isWarmingUp = true;
    await this.run({ kind: WARM_UP, ...nothing }).catch((error: unknown) => {
      if (!this.isClosed) this.options.logger.warn({ err: error }, 'A reader thread could not get ready');
    });
    this.isWarmingUp = false;
  }

  /** Clears the threads' caches of message texts, because some were erased. */
  forgetTexts(): void {
    this.channel.forget('texts');
  }

  /** Clears the threads' caches of names, because a person was erased. */
  forgetNames(): void {
    this.channel.forget('names');
  }

  /** Has the threads look up again which versions of the read models serve. */
  forgetModels(): void {
    this.channel.forget('models');
  }

  /** Ends the threads, and rejects waiting and running tasks. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { waiters } of this.queue.clear()) waiters.reject(failure('unavailable'));
    // Ending a thread while the driver executes a statement for it would crash the process.
    for (const { running } of this.started.values()) running.abandon();
    await Promise.all([...this.started.values()].map(({ ended }) => ended));
    this.channel.close();
    await this.pool.destroy();
  }

  private enqueue(task: Omit<QueuedTask, 'id' | 'waiters'>): QueuedTask {
    const waiters = new Waiters<PooledAnswer>({
      timeout: this.options.timeout,
      onLeave: (waited, areLeft) => {
        this.options.observer.taskEnded(task.kind, { waited, ran: null });
        // A task without waiters must not start.
        if (!areLeft) this.queue.remove(queued);
      },
    });
    const queued: QueuedTask = { ...task, id: (this.lastId += 1), waiters };
    this.queue.add(queued);
    return queued;
  }

  private startNext(): void {
    for (let queued = this.queue.take(); queued !== null; queued = this.queue.take()) {
      const { id, waiters } = queued;
      const running = new RunningTask({
        timeout: this.options.timeout,
        signal: waiters.started(),
        cancelInThread: () => this.channel.cancel(id),
        onUnresponsive: () => waiters.rejectAsLate(),
      });
      this.started.set(id, { kind: queued.kind, running, ended: this.start(queued, running) });
      if (queued.kind !== WARM_UP) this.keepSpare();
    }
  }

  /** Loads another thread if all loaded ones are busy and none is being loaded. */
  private keepSpare(): void {
    const loaded = this.pool.threads.length;
    if (this.isWarmingUp || this.running < loaded || loaded === this.options.threads) return;
    void this.warmUp();
  }

  /** Never rejects: the waiters get the outcome, after the thread is free again. */
  private async start(queued: QueuedTask, running: RunningTask): Promise<void> {
    const startedAt = performance.now();
    // Loading a thread keeps no other one from a long task: one account would wait for the spare thread alone.
    const markLong = (): void => void (queued.isLong = queued.kind !== WARM_UP);
    const long = setTimeout(markLong, LONG).unref();
    const answer = await this.perform(queued, running).then(
      (outcome) => () => answerWaiters(queued, outcome),
      (error: unknown) => () => queued.waiters.reject(error as Error),
    );
    clearTimeout(long);
    running.stop();
    this.started.delete(queued.id);
    this.queue.finish(queued);
    this.report(queued, startedAt, running);
    answer();
    this.startNext();
  }

  private async perform(queued: QueuedTask, running: RunningTask): Promise<ReaderOutcome> {
    const { timeout: milliseconds, position, logger } = this.options;
    const { id, kind, input, asReply, shape } = queued;
    const known = { position: position(), forgotten: this.channel.forgotten };
    const task: ReaderTask = { id, kind, input, asReply, milliseconds, ...known, marker: running.memory };
    try {
      return (await this.pool.run(task, { signal: running.unresponsive })) as ReaderOutcome;
    } catch (err) {
      if (running.unresponsive.aborted) {
        logger.error({ query: kind, shape }, 'A reader thread did not react, and was ended');
        return { type: 'late' };
      }
      // For example because it ran out of memory. The pool replaces the thread for the next task.
      logger.error({ err, query: kind, shape }, 'A reader thread died of a query');
      throw failure('unavailable');
    }
  }

  private report(
    { kind, shape, waiters }: QueuedTask,
    startedAt: number,
    { milliseconds, rows }: RunningTask,
  ): void {
    const waited = (startedAt - waiters.since) / 1000;
    const seconds = (performance.now() - startedAt) / 1000;
    this.options.observer.taskEnded(kind, { waited, ran: { seconds, rows } });
    if (milliseconds < LONG || kind === WARM_UP) return;
    this.options.logger.warn({ query: kind, shape, ms: Math.round(milliseconds), rows }, 'A query took long');
  }
}
