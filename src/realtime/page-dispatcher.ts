import type { Logger } from '../../projections/engine/logger.js';
import { directoryEventTypes, isDirectoryEvent } from '../access/directory-event-types.js';
import type { Directory } from '../access/directory.js';
import type { Snapshot } from '../access/snapshot.js';
import { MessageErased, PersonErased } from '../events/erasure.js';
import { UserDeactivated } from '../events/users.js';
import type { RecordedEvent } from '../kernel/event.js';
import { TimeSlice } from '../runtime/time-slice.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import type { PersistedEvent } from '../stores/event-store/port.js';
import type { Delivery } from './delivery.js';
import type { MapperContext, MappersByType } from './mapper.js';
import { readWithTries, withoutMessage, type MapperRead } from './mapper-reads.js';
import type { EventQueues } from './queues/event-queues.js';

/** Counts events of the log that could not be mapped to client events. */
export interface FailedClientEvents {
  clientEventFailed(): void;
}

/** What a {@link PageDispatcher} depends on. */
export interface PageDispatcherOptions<Models = unknown> {
  readonly log: Pick<EventLog, 'decode'>;
  /** The read models of contexts that mappers read from. */
  readonly models: Models;
  readonly mappers: MappersByType<Models>;
  /** The queues that events are dispatched to. */
  readonly queues: EventQueues;
  readonly delivery: Delivery;
  readonly logger: Logger;
  /** Counts the events that were given up. */
  readonly failures: FailedClientEvents;
  /** The time to map an event at, in milliseconds since the UNIX epoch. */
  readonly timeOf: (event: RecordedEvent) => number;
}

/** The types of events that become client events, or that decide who may receive them. */
export function dispatchedTypes({ mappers }: Pick<PageDispatcherOptions, 'mappers'>): ReadonlySet<string> {
  return new Set([...directoryEventTypes, ...mappers.keys(), MessageErased.type]);
}

/** Maps each event of the log once to client events, and delivers them to a set of queues. */
export class PageDispatcher<Models = unknown> {
  /**
   * @param directory the directory before the first event; each dispatched event is applied to it
   * @param dispatchedThrough log position up to which everything was dispatched; -1: nothing
   */
  constructor(
    private readonly options: PageDispatcherOptions<Models>,
    readonly directory: Directory,
    private dispatchedThrough: number,
  ) {}

  /** Log position up to which everything is in the queues. */
  get position(): number {
    return this.dispatchedThrough;
  }

  /**
   * Advances to a position: everything before it that was not dispatched is of types that nobody receives.
   */
  pass(position: number): void {
    this.dispatchedThrough = Math.max(this.dispatchedThrough, position);
  }

  /** Whether any queue is open. */
  get isWatched(): boolean {
    return this.options.queues.size > 0;
  }

  /**
   * Dispatches events in the order of the log. An event that nobody would receive is not decoded. An event whose
   * mapper keeps failing ends every queue: only the mapper knows who would have received it, and a client whose
   * queue ended registers again and gets the present state instead of missing a change unawares.
   *
   * @throws whatever a store throws while it is unavailable; then nothing was dispatched
   */
  async dispatch(events: readonly PersistedEvent[]): Promise<void> {
    const { isWatched } = this;
    const wanted = isWatched ? events : events.filter(({ type }) => directoryEventTypes.has(type));
    const decoded = await this.options.log.decode(wanted);
    const reads = isWatched ? await this.readFor(decoded) : [];
    const appends = byAppend(decoded);
    const slice = new TimeSlice();
    for (const [index, event] of decoded.entries()) {
      if (slice.isOver) await slice.next();
      const appended = appends[index] ?? [event];
      await this.dispatchOne(event, { read: reads[index] ?? nothingRead, appended });
      if (appended.at(-1) === event)
        this.dispatchedThrough = Math.max(this.dispatchedThrough, event.position);
    }
  }

  private readFor(events: readonly RecordedEvent[]): Promise<readonly MapperRead[]> {
    const { mappers, models } = this.options;
    return Promise.all(
      events.map((event) =>
        readWithTries(() => mappers.get(event.type)?.read?.(event, models, this.snapshotOf(event))),
      ),
    );
  }

  private snapshotOf(event: RecordedEvent): Snapshot {
    return { directory: this.directory, now: this.options.timeOf(event) };
  }

  private async dispatchOne(
    event: RecordedEvent,
    { read, appended }: Pick<MapperContext, 'appended'> & { readonly read: MapperRead },
  ): Promise<void> {
    const { delivery, mappers } = this.options;
    const mapper = this.isWatched ? mappers.get(event.type) : undefined;
    try {
      const before = mapper?.before?.(event, this.snapshotOf(event));
      this.apply(event);
      if (mapper !== undefined) {
        if ('error' in read) throw read.error;
        const clientEvents = mapper.clientEvents(event, {
          read: read.value,
          appended,
          snapshot: this.snapshotOf(event),
          before,
        });
        const source = { position: event.position, after: this.dispatchedThrough };
        await delivery.deliver(clientEvents, { directory: this.directory, source });
      }
    } catch (error) {
      this.apply(event);
      this.giveUp(event, error);
    }
    this.takeFromQueues(event);
  }

  private giveUp({ id, type, position }: RecordedEvent, error: unknown): void {
    const { failures, logger, queues } = this.options;
    const fields = { event: id, type, position, error: withoutMessage(error) };
    logger.error(fields, 'An event could not be told: every queue ends');
    failures.clientEventFailed();
    queues.endAll();
  }

  /** Removes from the queues what their clients may no longer receive. */
  private takeFromQueues({ type, data, position }: RecordedEvent): void {
    const { queues } = this.options;
    if (endsQueues.has(type)) queues.endAllOf((data as { userId: number }).userId);
    if (type === MessageErased.type) queues.forgetMessage((data as { messageId: number }).messageId);
    if (type === PersonErased.type) queues.forgetBefore(position);
  }

  /** An event that the directory already includes changes nothing. */
  private apply(event: RecordedEvent): void {
    if (isDirectoryEvent(event)) this.directory.apply(event);
  }
}

const nothingRead: MapperRead = { value: undefined };

/** Events that end every queue of the account. */
const endsQueues: ReadonlySet<string> = new Set([UserDeactivated.type]);

/** For each event, all events of the same append, itself included. */
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
