import { keepFollowing } from '../../projections/engine/keep-following.js';
import { Backoff, pause } from '../../projections/engine/pause.js';
import type { ModelPositions } from '../../projections/engine/model-positions.js';
import type { Logger } from '../../projections/engine/logger.js';
import { PositionBarrier } from '../../projections/engine/position-barrier.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import { Directory } from '../access/directory.js';
import type { Snapshot } from '../access/snapshot.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { lastRevision, type EventPage, type PersistedEvent } from '../stores/event-store/port.js';
import type { LogFollower, AwaitedWrite } from '../http/consistency.js';
import { failure } from '../kernel/errors.js';
import type { Clock } from '../kernel/clock.js';
import type { RecordedEvent } from '../kernel/event.js';
import { idAtRevision } from '../kernel/ids.js';
import { MESSAGES_STREAM } from '../events/messages.js';
import type { Delivery } from './delivery.js';
import type { EventQueues } from './queues/event-queues.js';
import type { QueuePersistence } from './recovery/queue-persistence.js';
import { UnprojectedEvents } from './unprojected-events.js';
import {
  PageDispatcher,
  dispatchedTypes,
  type FailedClientEvents,
  type PageDispatcherOptions,
} from './page-dispatcher.js';
import { ReadWriteLock } from './read-write-lock.js';
import type { MappersByType } from './mapper.js';

/** Before the first position of any log. */
const BEFORE_ALL = -1;

const retryDelays = { first: 50, max: 2_000 };

/** Interval between sweeps for queues that nobody polls, in milliseconds. */
const SWEEP = 60_000;

/** How long a registration waits for the read models, in milliseconds. */
const MAX_WAIT = 2_000;

/** The state that a client receives when it registers, before the events that follow it. */
export interface FeedSnapshot extends Snapshot {
  /** Id of the last message; 0 when there is none. */
  readonly lastMessageId: number;
  /** Log position that the state includes. */
  readonly position: number;
}

/** What an {@link EventFeed} depends on. */
export interface EventFeedOptions<Models = unknown> {
  readonly log: EventLog;
  readonly follower: DirectoryFollower;
  readonly positions: Pick<ModelPositions, 'waitUntil' | 'areAllStopped'>;
  /** The read models of contexts that mappers read from. */
  readonly models: Models;
  readonly mappers: MappersByType<Models>;
  /** Called with each page of the log before its events are mapped. */
  readonly appended?: (events: readonly PersistedEvent[]) => void;
  readonly queues: EventQueues;
  readonly delivery: Delivery;
  /** Stores the queues so that they outlive this process. */
  readonly persistence: Pick<QueuePersistence, 'start' | 'stop'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failures: FailedClientEvents;
}

/**
 * Follows the log once per process and maps each of its events once to client events, in the order of the log,
 * for the clients whose queues live here.
 *
 * To tell clients of a new event of the log, add its line to `client-events.ts` of its context (a test misses it there), such as:
 *
 *     DraftDeleted: { clientEvents: ({ data: { userId, draftId } }) =>
 *       [{ to: [userId], event: { type: 'drafts', op: 'remove', draft_id: draftId } }] },
 *
 * and, for what a client knows from the start, a line to the initial state there, or in `initial-state.ts`:
 *
 *     drafts: async ({ caller, queries }) => ({ drafts: await queries.execute(new GetDrafts(caller)) }),
 *
 * An event that does not enter the log (typing, presence) is handed to {@link EphemeralEvents}.
 */
export class EventFeed<Models = unknown> implements LogFollower {
  private dispatcher: PageDispatcher<Models>;
  private lastMessageId = 0;
  private readonly barrier = new PositionBarrier();
  private readonly lock = new ReadWriteLock();
  private readonly stopping = new AbortController();
  private readonly behind: UnprojectedEvents;
  private readonly followedTypes: ReadonlySet<string>;
  private following: Promise<void> = Promise.resolve();
  private isBlocked = false;

  constructor(private readonly options: EventFeedOptions<Models>) {
    this.behind = new UnprojectedEvents(options.positions);
    this.followedTypes = dispatchedTypes(options);
    this.dispatcher = this.dispatcherFrom(new Directory());
  }

  /** The queues of the clients that are connected to this process. */
  get queues(): EventQueues {
    return this.options.queues;
  }

  /** A dispatcher with the same mappers for a separate set of queues, to dispatch past events to them. */
  dispatcherOf(
    target: Pick<PageDispatcherOptions, 'queues' | 'delivery'>,
    { directory, position }: Pick<PageDispatcher, 'directory' | 'position'>,
  ): PageDispatcher<Models> {
    const timeOf = ({ metadata }: RecordedEvent): number => metadata.at;
    return new PageDispatcher({ ...this.options, ...target, timeOf }, directory, position);
  }

  /** Follows the log from the position of the directory; resolves at the end of the log. */
  async start(): Promise<void> {
    this.dispatcher = this.dispatcherFrom(this.options.follower.current().copy());
    this.barrier.restart(this.dispatcher.directory.position);
    // Messages beyond the directory's position come before the end of the log, where this method resolves.
    this.lastMessageId = idAtRevision(await lastRevision(this.options.log.store, MESSAGES_STREAM));
    const sweep = setInterval(() => this.options.queues.sweep(), SWEEP);
    this.stopping.signal.addEventListener('abort', () => clearInterval(sweep));
    await new Promise<void>((caughtUp) => {
      this.following = this.follow(caughtUp);
    });
    await this.options.persistence.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.options.persistence.stop();
    this.options.queues.endAll();
    await this.following;
  }

  /**
   * Resolves true if the clients of this process were sent the write within the time, so that they find it
   * right after the reply.
   */
  waitUntil({ position, types, milliseconds }: AwaitedWrite): Promise<boolean> {
    if (this.isBlocked) return Promise.resolve(false);
    if (!types.some((type) => this.followedTypes.has(type))) return Promise.resolve(true);
    return this.barrier.waitFor(position, milliseconds);
  }

  /**
   * Runs work while no event is delivered: a queue that it opens gets every event after the position in its
   * snapshot. Read models may already include later events; these are delivered nevertheless, and change
   * nothing for a client that knows them. Read models that are halted are not waited for: clients get what
   * they contain.
   *
   * @throws ApplicationError `unavailable` when the read models lag behind for too long
   */
  whilePaused<Result>(work: (snapshot: FeedSnapshot) => Promise<Result>): Promise<Result> {
    return this.lock.read(async () => {
      const isPresent = await this.behind.waitForAll(MAX_WAIT);
      if (!isPresent && !this.behind.areAllStopped()) throw failure('unavailable');
      const { snapshot, lastMessageId } = this;
      return work({ ...snapshot, lastMessageId, position: this.dispatcher.position });
    });
  }

  /** The accounts, channels and groups as of the last dispatched event, which permissions are judged by. */
  get snapshot(): Snapshot {
    return { directory: this.dispatcher.directory, now: this.options.clock.now() };
  }

  /** Position of the log through which every event was dispatched. */
  get dispatchedThrough(): number {
    return this.dispatcher.position;
  }

  private dispatcherFrom(directory: Directory): PageDispatcher<Models> {
    const { clock } = this.options;
    const options = { ...this.options, timeOf: () => clock.now() };
    return new PageDispatcher(options, directory, directory.position ?? BEFORE_ALL);
  }

  private async follow(caughtUp: () => void): Promise<void> {
    const { signal } = this.stopping;
    const { log, delivery, logger } = this.options;
    const types = [...this.followedTypes];
    await keepFollowing<EventPage>(
      {
        open: () => log.store.subscribeAll({ after: this.barrier.position, types, signal }),
        take: async (page) => {
          await this.processPage(page);
          this.barrier.advance(page.position);
          await delivery.flush();
          if (page.live) caughtUp();
        },
        onFailure: (error) =>
          logger.error({ err: error }, 'Events could not be delivered to clients; retrying'),
      },
      signal,
    );
    caughtUp();
  }

  /**
   * Waits for the read models before it takes the lock: a client that registers meanwhile need not wait, and
   * gets the page too.
   */
  private async processPage(page: EventPage): Promise<void> {
    const { mappers } = this.options;
    this.options.appended?.(page.events);
    const take = async (wasWatched: boolean): Promise<boolean> => {
      if (this.dispatcher.isWatched && !wasWatched) return false;
      await this.dispatcher.dispatch(page.events);
      this.dispatcher.pass(page.position);
      this.lastMessageId = page.events.reduce(latestMessage, this.lastMessageId);
      return true;
    };
    for (let isTaken = false; !isTaken;) {
      const wasWatched = this.dispatcher.isWatched;
      this.behind.note(page.events);
      if (wasWatched && page.events.some(({ type }) => mappers.get(type)?.read !== undefined))
        await this.catchUpOfModels();
      isTaken = await this.lock.write(() => take(wasWatched));
    }
  }

  private async catchUpOfModels(): Promise<void> {
    const { signal } = this.stopping;
    const backoff = new Backoff(retryDelays);
    while (!signal.aborted && !(await this.behind.waitForAll(MAX_WAIT))) {
      this.isBlocked = true;
      this.barrier.giveUp();
      await pause(backoff.next(), signal);
    }
    this.isBlocked = false;
  }
}

function latestMessage(latest: number, { stream, revision }: PersistedEvent): number {
  return stream === MESSAGES_STREAM ? Math.max(latest, idAtRevision(revision)) : latest;
}
