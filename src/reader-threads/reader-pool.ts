import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { BroadcastChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Logger } from '../../projections/engine/logger.js';
import { failure } from '../kernel/errors.js';
import { EventLoopDelays } from './event-loop-delays.js';
import { FairQueue } from './fair-queue.js';
import type {
  Forgotten,
  ReaderBroadcast,
  ReaderComposition,
  ReaderOutcome,
  ReaderTask,
  ReaderThreadData,
} from './reader-protocol.js';
import { WARM_UP } from './reader-protocol.js';
import { RunningTask } from './running-task.js';
import { Waiters } from './waiters.js';
import {
  type ReaderObserver,
  type PooledTask,
  type PooledAnswer,
  type QueuedTask,
  answerWaiters,
} from './pooled-task.js';

/** What a {@link ReaderPool} works with. */
export interface ReaderPoolOptions {
  /** How the threads make what does their tasks. */
  readonly composition: ReaderComposition;
  /** At least two. */
  readonly threads: number;
  /** After so many milliseconds a task is ended, and one that waits so long does not start. */
  readonly timeout: number;
  /** How far this process knows the log: a thread that does a task knows it as far at least. */
  readonly position: () => number | null;
  readonly logger: Logger;
  readonly observer: ReaderObserver;
  /** The thread's entry, and what Node is given for it; absent: the built one. */
  readonly entry?: { readonly file: string; readonly execArgv?: readonly string[] };
}

/** A task that ran so long counts as long, and is logged when it ends, in milliseconds. */
const LONG = 500;

/**
 * A page of messages is 16 MiB at most, and its parts are there twice while it is put together. What is over that ends the thread,
 * and no other.
 */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 };

interface StartedTask {
  readonly kind: string;
  readonly running: RunningTask;
  readonly ended: Promise<void>;
}

/**
 * Threads with connections of their own, on which everything is read that may take long. One more is ready than has something to do,
 * until all are: a thread must know everybody before it can answer, which takes long where there are many.
 */
export class ReaderPool {
  private readonly queue: FairQueue<QueuedTask>;
  private readonly pool: Piscina;
  private readonly channel: BroadcastChannel;
  private readonly delays = EventLoopDelays.memory();
  /** What threads do, by the ids of the tasks. */
  private readonly started = new Map<number, StartedTask>();
  private forgotten: Forgotten = { texts: 0, names: 0, models: 0 };
  private lastId = 0;
  private isWarmingUp = false;
  private isClosed = false;

  constructor(private readonly options: ReaderPoolOptions) {
    const { threads, composition, entry, logger } = options;
    this.queue = new FairQueue(threads);
    const channel = `palimpsest-readers:${randomUUID()}`;
    this.channel = new BroadcastChannel(channel);
    this.channel.unref();
    const workerData: ReaderThreadData = { ...composition, channel, delays: this.delays };
    this.pool = new Piscina({
      filename: entry?.file ?? new URL('./reader-thread.js', import.meta.url).href,
      name: 'perform',
      ...(entry?.execArgv && { execArgv: [...entry.execArgv] }),
      workerData,
      resourceLimits,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: Infinity,
      // A thread that waits follows the log meanwhile.
      atomics: 'disabled',
      recordTiming: false,
    });
    this.pool.on('error', (error: unknown) => logger.error({ err: error }, 'A reader thread died'));
  }

  /** How many tasks wait for a thread. */
  get waiting(): number {
    return this.queue.length;
  }

  /** How many tasks are being done; that threads are loaded does not count. */
  get running(): number {
    return [...this.started.values()].filter(({ kind }) => kind !== WARM_UP).length;
  }

  /** How late the event loops of the threads are, counted together. */
  get eventLoopDelays(): EventLoopDelays {
    return new EventLoopDelays(this.delays);
  }

  /**
   * Has something done by one of the threads.
   *
   * @throws ApplicationError what the task was refused with; `queryTimeout` when it took too long, `unavailable` when its thread died or
   * the server stops
   * @throws ClientGoneError when nobody waits any more
   */
  run(task: PooledTask): Promise<PooledAnswer> {
    if (this.isClosed) return Promise.reject(failure('unavailable'));
    const { signal, ...rest } = task;
    const queued = this.waitingLike(task) ?? this.enqueue(rest);
    const answer = queued.waiters.join(signal);
    this.startNext();
    return answer;
  }

  /** Loads a thread before anybody waits for it. */
  async warmUp(): Promise<void> {
    const nobody = { account: null, sameness: null, isLong: false, signal: null };
    const nothing = { input: null, asReply: false, shape: '', ...nobody };
    this.isWarmingUp = true;
    await this.run({ kind: WARM_UP, ...nothing }).catch((error: unknown) => {
      if (!this.isClosed) this.options.logger.warn({ err: error }, 'A reader thread could not get ready');
    });
    this.isWarmingUp = false;
  }

  /** Lets the threads forget what messages say: something was erased. */
  forgetTexts(): void {
    this.forget({ ...this.forgotten, texts: this.forgotten.texts + 1 });
  }

  /** Lets the threads forget what people and things are called: somebody was erased. */
  forgetNames(): void {
    this.forget({ ...this.forgotten, names: this.forgotten.names + 1 });
  }

  /** Lets the threads look again which versions of the read models serve, and which are gone. */
  forgetModels(): void {
    this.forget({ ...this.forgotten, models: this.forgotten.models + 1 });
  }

  /** Ends the threads; what waits or runs is refused. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { waiters } of this.queue.clear()) waiters.reject(failure('unavailable'));
    // A thread that ends while a statement runs for it would take the process with it.
    for (const { running } of this.started.values()) running.abandon();
    await Promise.all([...this.started.values()].map(({ ended }) => ended));
    this.channel.close();
    await this.pool.destroy();
  }

  private forget(forgotten: Forgotten): void {
    this.forgotten = forgotten;
    this.tell({ type: 'forget', forgotten });
  }

  private tell(message: ReaderBroadcast): void {
    this.channel.postMessage(message);
  }

  private waitingLike({ account, sameness }: PooledTask): QueuedTask | undefined {
    if (account === null || sameness === null) return undefined;
    return this.queue.of(account).find((waiting) => isDeepStrictEqual(waiting.sameness, sameness));
  }

  private enqueue(task: Omit<PooledTask, 'signal'>): QueuedTask {
    const waiters = new Waiters<PooledAnswer>({
      timeout: this.options.timeout,
      onLeave: (waited, areLeft) => {
        this.options.observer.taskEnded(task.kind, { waited, took: null });
        // What nobody waits for does not start.
        if (!areLeft) this.queue.remove(queued);
      },
    });
    const queued = { ...task, id: (this.lastId += 1), waiters };
    this.queue.add(queued);
    return queued;
  }

  private startNext(): void {
    for (let queued = this.queue.take(); queued !== null; queued = this.queue.take()) {
      const { id, waiters } = queued;
      const running = new RunningTask({
        timeout: this.options.timeout,
        signal: waiters.started(),
        tellThread: () => this.tell({ type: 'cancel', task: id }),
        onUnresponsive: () => waiters.rejectAsLate(),
      });
      this.started.set(id, { kind: queued.kind, running, ended: this.start(queued, running) });
      if (queued.kind !== WARM_UP) this.keepSpare();
    }
  }

  /** Loads another thread where all that there are have something to do, and none is being loaded. */
  private keepSpare(): void {
    const loaded = this.pool.threads.length;
    if (this.isWarmingUp || this.running < loaded || loaded === this.options.threads) return;
    void this.warmUp();
  }

  /** Never rejects: the waiters are answered, after the thread is free again. */
  private async start(queued: QueuedTask, running: RunningTask): Promise<void> {
    const startedAt = performance.now();
    const long = setTimeout(() => (queued.isLong = true), LONG).unref();
    const answer = await this.perform(queued, running).then(
      (outcome) => () => answerWaiters(queued, outcome),
      (error: unknown) => () => queued.waiters.reject(error as Error),
    );
    clearTimeout(long);
    running.stop();
    this.started.delete(queued.id);
    this.queue.finish(queued);
    this.report(queued, startedAt, running.milliseconds);
    answer();
    this.startNext();
  }

  private async perform(queued: QueuedTask, running: RunningTask): Promise<ReaderOutcome> {
    const { timeout: milliseconds, position, logger } = this.options;
    const { id, kind, input, asReply, shape } = queued;
    const known = { position: position(), forgotten: this.forgotten };
    const task: ReaderTask = { id, kind, input, asReply, milliseconds, ...known, marker: running.memory };
    try {
      return (await this.pool.run(task, { signal: running.unresponsive })) as ReaderOutcome;
    } catch (err) {
      if (running.unresponsive.aborted) {
        logger.error({ query: kind, shape }, 'A reader thread did not react, and was ended');
        return { type: 'late' };
      }
      // Such as for want of memory: another takes its place, and does what is asked next.
      logger.error({ err, query: kind, shape }, 'A reader thread died of a query');
      throw failure('unavailable');
    }
  }

  private report({ kind, shape, waiters }: QueuedTask, startedAt: number, milliseconds: number): void {
    const waited = (startedAt - waiters.since) / 1000;
    this.options.observer.taskEnded(kind, { waited, took: secondsSince(startedAt) });
    if (milliseconds < LONG || kind === WARM_UP) return;
    this.options.logger.warn({ query: kind, shape, ms: Math.round(milliseconds) }, 'A query took long');
  }
}

function secondsSince(time: number): number {
  return (performance.now() - time) / 1000;
}
