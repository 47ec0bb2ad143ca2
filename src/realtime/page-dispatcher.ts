import type { Logger } from '../../projections/engine/logger.js';
import { directoryEventTypes, isDirectoryEvent } from '../access/directory-event-types.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import type { Directory } from '../access/directory.js';
import type { Snapshot } from '../access/snapshot.js';
import { MessageErased, PersonErased } from '../events/erasure.js';
import { UserDeactivated } from '../events/deactivation.js';
import type { RecordedEvent } from '../kernel/event.js';
import { TimeSlice } from '../runtime/time-slice.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { UnreadableEventError } from '../stores/event-store/codec-errors.js';
import type { PersistedEvent } from '../stores/event-store/port.js';
import { decodeOrReplace } from '../stores/event-store/readable-events.js';
import { byAppend } from './by-append.js';
import type { Delivery, FailedReceivers } from './delivery.js';
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
  /** The directory that requests are answered with. */
  readonly follower: Pick<DirectoryFollower, 'current'>;
  /** The read models of contexts that mappers read from. */
  readonly models: Models;
  readonly mappers: MappersByType<Models>;
  /** The queues that events are dispatched to. */
  readonly queues: EventQueues;
  readonly delivery: Delivery;
  readonly logger: Logger;
  /** Counts the events that were discarded. */
  readonly failures: FailedClientEvents;
  /** The time to map an event at, in milliseconds since the UNIX epoch. */
  readonly timeOf: (event: RecordedEvent) => number;
}

/** An event of the log that cannot be decoded. */
interface Undecoded {
  readonly undecoded: PersistedEvent;
  readonly error: unknown;
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

  /** Log position of the last event that was discarded; -1: none. */
  private givenUpThrough = -1;

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
   * Dispatches events in the order of the log. An event that nobody would receive is not decoded. An event that
   * cannot be decoded, or whose mapper keeps failing, ends every queue: only the mapper knows who would have received
   * it, and a client whose queue ended registers again and gets the present state instead of missing a change unawares.
   *
   * An event that decides who may receive others is not passed before the directory that requests are answered with
   * has passed it, which happens when an operator discards it.
   *
   * @throws whatever a store throws while it is unavailable, and DirectoryHaltedError; then nothing after
   * {@link position} was dispatched, and what was dispatched before is passed over when the events come again
   */
  async dispatch(events: readonly PersistedEvent[]): Promise<void> {
    for (const part of this.partsOf(events.filter(({ position }) => position > this.dispatchedThrough))) {
      await this.dispatchPart(part);
    }
  }

  /** Each event whose mapper reads very many documents ends a part. Such events are appended alone. */
  private partsOf(events: readonly PersistedEvent[]): readonly (readonly PersistedEvent[])[] {
    const { mappers } = this.options;
    const ends = events.flatMap(({ type }, at) => (mappers.get(type)?.readsMany === true ? [at + 1] : []));
    const parts = [0, ...ends].map((from, at) => events.slice(from, ends[at]));
    return parts.filter(({ length }) => length > 0);
  }

  private async dispatchPart(events: readonly PersistedEvent[]): Promise<void> {
    const { isWatched } = this;
    const wanted = isWatched ? events : events.filter(({ type }) => directoryEventTypes.has(type));
    const decoded = await decodeOrReplace(this.options.log, wanted, undecodedEvent);
    this.awaitDirectory(decoded);
    const readable = decoded.filter(isDecoded);
    const reads = new Map(isWatched ? await this.readFor(readable) : []);
    const appends = byAppend(readable);
    const slice = new TimeSlice();
    for (const event of decoded) {
      if (slice.isOver) await slice.next();
      if (!isDecoded(event)) {
        this.giveUp(event.undecoded, event.error);
        continue;
      }
      const appended = appends.get(event) ?? [event];
      await this.dispatchOne(event, { read: reads.get(event) ?? nothingRead, appended });
      if (appended.at(-1) === event) this.pass(event.position);
    }
  }

  /** @throws DirectoryHaltedError while an event that decides who may receive others is not passed */
  private awaitDirectory(decoded: readonly (RecordedEvent | Undecoded)[]): void {
    const passed = this.options.follower.current().position ?? -1;
    for (const event of decoded) {
      if (isDecoded(event) || !directoryEventTypes.has(event.undecoded.type)) continue;
      if (event.undecoded.position <= passed) continue;
      this.giveUp(event.undecoded, event.error);
      throw new DirectoryHaltedError(event.undecoded);
    }
  }

  private readFor(
    events: readonly RecordedEvent[],
  ): Promise<readonly (readonly [RecordedEvent, MapperRead])[]> {
    const { mappers, models } = this.options;
    return Promise.all(
      events.map(async (event) => {
        const read = (): Promise<unknown> | undefined =>
          mappers.get(event.type)?.read?.(event, models, this.snapshotOf(event));
        return [event, await readWithTries(read)] as const;
      }),
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
        const failed = await delivery.deliver(clientEvents, { directory: this.directory, source });
        if (failed !== null) this.reportFailed(event, failed);
      }
    } catch (error) {
      this.apply(event);
      this.giveUp(event, error);
    }
    this.takeFromQueues(event);
  }

  /** Once for each event, however often its page is dispatched. */
  private giveUp(event: EventReference, error: unknown): void {
    const { failures, logger, queues } = this.options;
    if (event.position <= this.givenUpThrough) return;
    this.givenUpThrough = event.position;
    queues.endAll();
    logger.error(
      fieldsOf(event, error),
      'An event could not be converted for clients: all event queues ended',
    );
    failures.clientEventFailed();
  }

  private reportFailed(event: EventReference, { count, error }: FailedReceivers): void {
    const { failures, logger } = this.options;
    const fields = { ...fieldsOf(event, error), queues: count };
    logger.error(fields, 'An event could not be converted for some clients: their event queues ended');
    failures.clientEventFailed();
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

type EventReference = Pick<PersistedEvent, 'id' | 'type' | 'position'>;

/** The directory that requests are answered with is halted at an event that cannot be decoded. */
class DirectoryHaltedError extends Error {
  override readonly name = 'DirectoryHaltedError';
  constructor({ id, type }: EventReference) {
    super(`The directory has not passed event ${id} (${type}), which cannot be read`);
  }
}

function undecodedEvent(undecoded: PersistedEvent, error: unknown): Undecoded {
  return { undecoded, error };
}

function isDecoded(event: RecordedEvent | Undecoded): event is RecordedEvent {
  return !('undecoded' in event);
}

/** What the log says of an event and of an error, without anything that people wrote. */
function fieldsOf({ id, type, position }: EventReference, error: unknown): object {
  // The codec's own reasons contain no data of the event.
  const reason = error instanceof UnreadableEventError ? { reason: error.message } : {};
  return { event: id, type, position, error: { ...withoutMessage(error), ...reason } };
}
