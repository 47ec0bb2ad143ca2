import { keepFollowing } from '../../projections/engine/keep-following.js';
import { Backoff, pause } from '../../projections/engine/pause.js';
import type { ModelPositions } from '../../projections/engine/model-positions.js';
import type { Logger } from '../../projections/engine/logger.js';
import { PositionGate } from '../../projections/engine/position-gate.js';
import { directoryEventTypes, isDirectoryEvent } from '../access/directory-event-types.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import { Directory } from '../access/directory.js';
import type { Moment } from '../access/moment.js';
import { MessageErased, PersonErased } from '../events/erasure.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import type { EventPage, PersistedEvent } from '../stores/event-store/port.js';
import type { LogFollower, Write } from '../http/consistency.js';
import { failure } from '../kernel/errors.js';
import type { Clock } from '../kernel/clock.js';
import type { RecordedEvent } from '../kernel/event.js';
import { messagesStream } from '../events/messages.js';
import { UserDeactivated } from '../events/users.js';
import type { Delivery } from './delivery.js';
import type { EventQueues } from './queues/event-queues.js';
import { ModelsBehind } from './models-behind.js';
import { TimeSlice } from '../runtime/time-slice.js';
import { Turns } from './turns.js';
import type { MapperContext, MappersByType } from './mapper.js';

const RETRY = { first: 50, most: 2_000 };

/** How often queues that nobody asks for are looked for, in milliseconds. */
const SWEEP = 60_000;

/** How long a registration waits for the read models, in milliseconds. */
const LONGEST_WAIT = 2_000;

/** What a client that registers is to be told of as it stood, before the events that follow. */
export interface FeedMoment extends Moment {
  /** Id of the last message; 0 when there is none. */
  readonly lastMessageId: number;
}

/** What an {@link EventFeed} works with. */
export interface EventFeedOptions<Models = unknown> {
  readonly log: EventLog;
  readonly follower: DirectoryFollower;
  readonly positions: Pick<ModelPositions, 'waitUntil' | 'areStill'>;
  /** What contexts read to tell of an event. */
  readonly models: Models;
  readonly mappers: MappersByType<Models>;
  readonly queues: EventQueues;
  readonly delivery: Delivery;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Follows the log once per process and maps each of its events once to what clients are told, in the order of the log,
 * for the clients whose queues live here.
 *
 * To tell clients of a new event of the log, add its line to `client-events.ts` of its context (a test misses it there), such as:
 *
 *     DraftDeleted: { clientEvents: ({ data: { userId, draftId } }) =>
 *       [{ to: [userId], event: { type: 'drafts', op: 'remove', draft_id: draftId } }] },
 *
 * and, for what a client knows from the start, a line to `initial-state.ts` beside it:
 *
 *     drafts: async ({ caller, queries }) => ({ drafts: await queries.execute(new GetDrafts(caller)) }),
 *
 * An event that does not enter the log (typing, presence) is handed to {@link EphemeralEvents}.
 */
export class EventFeed<Models = unknown> implements LogFollower {
  private directory = new Directory();
  private lastMessageId = 0;
  private readonly gate = new PositionGate();
  private readonly turns = new Turns();
  private readonly stopping = new AbortController();
  private readonly behind: ModelsBehind;
  private readonly followedTypes: ReadonlySet<string>;
  private following: Promise<void> = Promise.resolve();
  private isHeldUp = false;

  constructor(private readonly options: EventFeedOptions<Models>) {
    this.behind = new ModelsBehind(options.positions);
    this.followedTypes = new Set([...directoryEventTypes, ...options.mappers.keys(), MessageErased.type]);
  }

  /** Follows the log from where the directory stands; resolves when it has come to its end. */
  async start(): Promise<void> {
    this.directory = this.options.follower.current().copy();
    this.gate.restart(this.directory.position);
    const [last] = await this.options.log.store.readStream(messagesStream, {
      direction: 'backwards',
      limit: 1,
    });
    // A message that is further on than the directory is behind the end of the log, where this resolves.
    this.lastMessageId = last === undefined ? 0 : last.revision + 1;
    const sweep = setInterval(() => this.options.queues.sweep(), SWEEP);
    this.stopping.signal.addEventListener('abort', () => clearInterval(sweep));
    await new Promise<void>((caughtUp) => {
      this.following = this.follow(caughtUp);
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.options.queues.endAll();
    await this.following;
  }

  /** Whether clients that are live here were told of the write in time, so that they find it right after the reply. */
  waitUntil({ position, types, milliseconds }: Write): Promise<boolean> {
    if (this.isHeldUp) return Promise.resolve(false);
    if (!types.some((type) => this.followedTypes.has(type))) return Promise.resolve(true);
    return this.gate.waitFor(position, milliseconds);
  }

  /**
   * Does something while no event is taken: what is opened in it gets every event after the moment that it is handed.
   * Documents of read models may already reflect later events; those are told again, and change nothing in who knows them. Where
   * read models stand still, everything is told as they show it, as to all who read.
   *
   * @throws ApplicationError `unavailable` when the read models lag behind the moment
   */
  standing<Result>(work: (moment: FeedMoment) => Promise<Result>): Promise<Result> {
    return this.turns.read(async () => {
      const isPresent = await this.behind.pass(LONGEST_WAIT);
      if (!isPresent && !this.behind.areStill()) throw failure('unavailable');
      return work({ ...this.moment, lastMessageId: this.lastMessageId });
    });
  }

  /** Everyone and everything as far as clients have been told. */
  get moment(): Moment {
    return { directory: this.directory, now: this.options.clock.now() };
  }

  private async follow(caughtUp: () => void): Promise<void> {
    const { signal } = this.stopping;
    const { log, delivery, logger } = this.options;
    const types = [...this.followedTypes];
    await keepFollowing<EventPage>(
      {
        open: () => log.store.subscribeAll({ after: this.gate.position, types, signal }),
        take: async (page) => {
          await this.takeInTurn(page);
          this.gate.advance(page.position);
          await delivery.flush();
          if (page.live) caughtUp();
        },
        onFailure: (error) =>
          logger.error({ err: error }, 'Clients cannot be told of new events; trying again'),
      },
      signal,
    );
    caughtUp();
  }

  /** Read models are waited for before the turn: whoever registers meanwhile is not kept waiting, and told of the page, too. */
  private async takeInTurn(page: EventPage): Promise<void> {
    const { mappers } = this.options;
    const take = async (wasWatched: boolean): Promise<boolean> => {
      if (this.isWatched && !wasWatched) return false;
      await this.take(page);
      return true;
    };
    for (let isTaken = false; !isTaken;) {
      const wasWatched = this.isWatched;
      this.behind.note(page.events);
      if (wasWatched && page.events.some(({ type }) => mappers.get(type)?.read !== undefined))
        await this.catchUpOfModels();
      isTaken = await this.turns.write(() => take(wasWatched));
    }
  }

  private get isWatched(): boolean {
    return this.options.queues.size > 0;
  }

  /** Nothing is decoded that nobody would be told of. */
  private async take({ events }: EventPage): Promise<void> {
    const { isWatched } = this;
    const wanted = isWatched ? events : events.filter(({ type }) => directoryEventTypes.has(type));
    const decoded = await this.options.log.decode(wanted);
    const reads = isWatched ? await this.readFor(decoded) : [];
    const appends = byAppend(decoded);
    const slice = new TimeSlice();
    for (const [index, event] of decoded.entries()) {
      if (slice.isOver) await slice.next();
      await this.tell(event, { read: reads[index], appended: appends[index] ?? [event] });
    }
    this.lastMessageId = events.reduce(latestMessage, this.lastMessageId);
  }

  private readFor(events: readonly RecordedEvent[]): Promise<readonly unknown[]> {
    const { mappers, models } = this.options;
    return Promise.all(
      events.map(async (event) => mappers.get(event.type)?.read?.(event, models, this.moment)),
    );
  }

  private async catchUpOfModels(): Promise<void> {
    const { signal } = this.stopping;
    const backoff = new Backoff(RETRY);
    while (!signal.aborted && !(await this.behind.pass(LONGEST_WAIT))) {
      this.isHeldUp = true;
      this.gate.giveUp();
      await pause(backoff.next(), signal);
    }
    this.isHeldUp = false;
  }

  private async tell(event: RecordedEvent, seen: Pick<MapperContext, 'read' | 'appended'>): Promise<void> {
    const mapper = this.isWatched ? this.options.mappers.get(event.type) : undefined;
    try {
      const before = mapper?.before?.(event, this.moment);
      this.apply(event);
      if (mapper !== undefined) {
        const clientEvents = mapper.clientEvents(event, { ...seen, moment: this.moment, before });
        await this.options.delivery.deliver(clientEvents, this.directory);
      }
    } catch (error) {
      this.options.logger.error(
        { err: error, event: event.id },
        'An event could not be told: every queue ends',
      );
      this.apply(event);
      this.options.queues.endAll();
    }
    this.takeFromQueues(event);
  }

  /** What clients are not to be given any more, though their queues hold it. */
  private takeFromQueues({ type, data }: RecordedEvent): void {
    const { queues } = this.options;
    if (type === UserDeactivated.type) queues.endAllOf((data as { userId: number }).userId);
    if (type === MessageErased.type) queues.forgetMessage((data as { messageId: number }).messageId);
    if (type === PersonErased.type) queues.endAll();
  }

  /** One that it reflects already changes nothing. */
  private apply(event: RecordedEvent): void {
    if (isDirectoryEvent(event)) this.directory.apply(event);
  }
}

/** For each event those that were appended with it, itself included. */
function byAppend(events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] {
  let append: RecordedEvent[] = [];
  return events.map((event) => {
    const last = append.at(-1);
    const isSame = last?.stream === event.stream && last.metadata.commandId === event.metadata.commandId;
    if (!isSame) append = [];
    append.push(event);
    return append;
  });
}

function latestMessage(latest: number, { stream, revision }: PersistedEvent): number {
  return stream === messagesStream ? Math.max(latest, revision + 1) : latest;
}
