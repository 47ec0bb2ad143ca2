import { directoryModel } from './read-model.js';
import type { Logger } from '../../projections/engine/logger.js';
import { keepFollowing } from '../../projections/engine/keep-following.js';
import { Backoff, pause } from '../../projections/engine/pause.js';
import { PositionBarrier } from '../../projections/engine/position-barrier.js';
import { ModelBehindError, REACTOR_WAIT } from '../../projections/engine/reactor.js';
import { projectionVersion } from '../../projections/engine/stored-version.js';
import type { EventLog, FollowOptions, RecordedPage } from '../stores/event-store/event-log.js';
import type { RecordedEvent } from '../kernel/event.js';
import type { ModelStore } from '../stores/read-store/port.js';
import { TimeSlice } from '../runtime/time-slice.js';
import { directoryEventTypes, isDirectoryEvent } from './directory-event-types.js';
import { Directory } from './directory.js';
import { loadDirectory } from './load-directory.js';

/** What a {@link DirectoryFollower} depends on. */
interface DirectoryFollowerOptions {
  readonly log: Pick<EventLog, 'follow'>;
  /** The read model to load from; null while no version serves. */
  readonly model: () => Promise<ModelStore | null>;
  readonly logger: Logger;
}

/** A write that the directory has to include. */
interface DirectoryWrite {
  readonly position: number;
  /** The types of its events; if none of them changes the directory, there is nothing to wait for. */
  readonly types: readonly string[];
}

const retryDelays = { first: 50, max: 2_000 };

/** Attempts to load the model while other nodes keep changing it; after these the log is read instead. */
const LOAD_ATTEMPTS = 5;

/**
 * Keeps the {@link Directory} of this node up to date: loads it from its read model and follows the log from
 * there.
 */
export class DirectoryFollower {
  private directory = new Directory();
  private readonly barrier = new PositionBarrier();
  private readonly stopping = new AbortController();
  private following: Promise<void> = Promise.resolve();
  private behindSince: number | null = performance.now();
  private hasFailed = false;

  constructor(private readonly options: DirectoryFollowerOptions) {}

  /**
   * Loads the directory and follows the log; resolves when it includes everything that the log contained at
   * that time.
   */
  async start(): Promise<void> {
    this.directory = await this.load();
    this.barrier.restart(this.directory.position);
    await new Promise<void>((caughtUp) => {
      this.following = this.follow(caughtUp);
    });
  }

  /** The directory as far as this node has followed the log. It keeps changing: call again after waiting. */
  current(): Directory {
    return this.directory;
  }

  /** Whether the directory includes everything up to a position of the log. */
  hasReached(position: number): boolean {
    return this.barrier.hasPassed(position);
  }

  /** Resolves true if the directory includes the write within the time. */
  waitUntil({ position, types }: DirectoryWrite, milliseconds: number): Promise<boolean> {
    if (!types.some((type) => directoryEventTypes.has(type))) return Promise.resolve(true);
    return this.barrier.waitFor(position, milliseconds);
  }

  /**
   * Waits until the directory includes an event that a reactor handles.
   *
   * @throws ModelBehindError on timeout; the engine then calls the reactor again
   */
  async waitForEvent({ position, type }: Pick<RecordedEvent, 'position' | 'type'>): Promise<void> {
    if (await this.waitUntil({ position, types: [type] }, REACTOR_WAIT)) return;
    throw new ModelBehindError('The directory');
  }

  /** For how many milliseconds this node may have been behind the log; 0 while it is up to date. */
  lagMilliseconds(): number {
    return this.behindSince === null ? 0 : performance.now() - this.behindSince;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
  }

  private async load(): Promise<Directory> {
    const backoff = new Backoff(retryDelays);
    for (let attempt = 0; attempt < LOAD_ATTEMPTS; attempt += 1) {
      const model = await this.options.model();
      // While a newer version is built, an older one serves, whose records may have another shape.
      if (model === null || projectionVersion(model.version) !== directoryModel.version) break;
      const directory = await loadDirectory(model);
      if (directory !== null) return directory;
      await pause(backoff.next(), this.stopping.signal);
    }
    return new Directory();
  }

  private async follow(caughtUp: () => void): Promise<void> {
    const { signal } = this.stopping;
    const types = [...directoryEventTypes];
    await keepFollowing<RecordedPage>(
      {
        open: () => this.pages({ types, signal }),
        take: async (page) => {
          await this.take(page);
          if (page.live) caughtUp();
        },
        onFailure: (error) => {
          this.behindSince ??= performance.now();
          this.hasFailed = true;
          this.options.logger.error({ err: error }, 'The directory cannot follow the log; trying again');
        },
      },
      signal,
    );
    caughtUp();
  }

  /**
   * Pages after the last applied event. After a failure, the read model may be further than the follower, if
   * an operator discarded an event that cannot be read.
   */
  private async *pages(part: Omit<FollowOptions, 'after'>): AsyncGenerator<RecordedPage> {
    if (this.hasFailed) {
      const loaded = await this.load();
      if ((loaded.position ?? -1) > (this.barrier.position ?? -1)) {
        this.directory = loaded;
        this.barrier.restart(loaded.position);
      }
      this.hasFailed = false;
    }
    yield* this.options.log.follow({ ...part, after: this.barrier.position });
  }

  private async take({ events, position, live }: RecordedPage): Promise<void> {
    const slice = new TimeSlice();
    for (const event of events) {
      if (slice.isOver) await slice.next();
      if (isDirectoryEvent(event)) this.directory.apply(event);
    }
    this.barrier.advance(position);
    if (live) this.behindSince = null;
    else this.behindSince ??= performance.now();
  }
}
