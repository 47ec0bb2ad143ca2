import type { AppendOutcome, CommandEvents } from '../../kernel/decision.js';
import type { DomainEvent, EventMetadata, RecordedEvent } from '../../kernel/event.js';
import type { Tracer } from '../../runtime/tracing/tracer.js';
import { bytesOf, type AppendPlace, type EventCodec } from './codec.js';
import type { SizedEvent } from './event-draft.js';
import {
  firstRevision,
  MAX_APPEND_BYTES,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type PersistedEvent,
  type ReadStreamOptions,
} from './port.js';
import { Repetitions } from './repetitions.js';

/** Called for every append of this process, once the log has acknowledged it. */
export interface AppendObserver {
  /** @param seconds from encoding the events to the acknowledgement */
  appended(events: readonly DomainEvent[], seconds: number): void;
}

/** The result of an append: the events as they are in the log. */
export interface Appended<Event extends DomainEvent = DomainEvent> extends AppendResult {
  readonly events: readonly RecordedEvent<Event>[];
}

/** A page of decoded events; see {@link EventPage}. */
export interface RecordedPage {
  readonly events: readonly RecordedEvent[];
  readonly position: number;
  readonly live: boolean;
}

/** A stream at an exact revision. */
interface ExactPlace {
  readonly stream: string;
  readonly expected: Exclude<ExpectedRevision, 'any'>;
}

/** The stored form of a command's events, and the revision of the first one. */
interface EncodedCommand<Event extends DomainEvent> {
  readonly command: CommandEvents<Event>;
  readonly first: number;
  readonly encoded: readonly SizedEvent[];
}

/** Options of {@link EventLog.follow}. */
export interface FollowOptions {
  /** Only events after this position; null: from the beginning. */
  readonly after: number | null;
  readonly types: readonly string[];
  readonly signal: AbortSignal;
}

/** The event store for domain events: encodes and decodes with the one codec. */
export class EventLog {
  private observer: AppendObserver | null = null;
  /** Traces appends and follows; null: tracing is off. */
  tracer: Tracer | null = null;
  /** What the reactors of this process handle again. */
  readonly repetitions = new Repetitions();

  constructor(
    readonly store: EventStore,
    private readonly codec: EventCodec,
  ) {}

  /**
   * Appends domain events to one stream. Their ids derive from the command id and their index, so a retry of the same command writes
   * nothing twice.
   *
   * @throws WrongExpectedRevisionError, AppendTooLargeError, EventStoreUnavailableError
   */
  append<Event extends DomainEvent>(
    target: AppendPlace,
    events: readonly Event[],
    metadata: EventMetadata,
  ): Promise<Appended<Event>> {
    const append = (): Promise<Appended<Event>> => this.appendHere(target, events, metadata);
    return this.tracer?.append({ stream: target.stream, metadata }, append) ?? append();
  }

  private async appendHere<Event extends DomainEvent>(
    { stream, expected }: AppendPlace,
    events: readonly Event[],
    metadata: EventMetadata,
  ): Promise<Appended<Event>> {
    const begun = performance.now();
    const stored = await this.codec.encode({ stream, expected }, events, metadata);
    const { revision, position } = await this.store.append(stream, expected, stored);
    this.observer?.appended(events, (performance.now() - begun) / 1000);
    const first = revision - events.length + 1;
    const idOf = (index: number): string => stored[index]!.id;
    return {
      revision,
      position,
      events: recordedEvents({ events, metadata }, idOf, { stream, first, position }),
    };
  }

  /**
   * Appends the events of several consecutive commands on one stream atomically. Otherwise like {@link append}.
   *
   * @param admit throws when a command's events are to be refused
   * @returns the outcome of each command in order, up to the first refusal or up to the size limit of an append: at least one, perhaps
   *   fewer than were given
   * @throws WrongExpectedRevisionError, EventStoreUnavailableError
   */
  async appendTogether<Event extends DomainEvent>(
    { stream, expected }: ExactPlace,
    commands: readonly CommandEvents<Event>[],
    admit: (events: readonly Event[], metadata: EventMetadata) => void = () => {},
  ): Promise<readonly AppendOutcome<Event>[]> {
    const begun = performance.now();
    let end = firstRevision(expected);
    const encoding = commands.map(async (command): Promise<EncodedCommand<Event>> => {
      const { events, metadata } = command;
      const first = end;
      end += events.length;
      admit(events, metadata);
      const place = { stream, expected: first === 0 ? ('no-stream' as const) : first - 1 };
      return { command, first, encoded: await this.codec.encodeSized(place, events, metadata) };
    });
    const { fitting, refusals } = fittingOnes(await Promise.allSettled(encoding));
    if (fitting.length === 0) return refusals;
    const stored = fitting.flatMap(({ encoded }) => encoded.map(({ event }) => event));
    const appending = this.store.append(stream, expected, stored);
    const appended = fitting.map(({ command, first, encoded }) => {
      const wait = async (): Promise<Appended<Event>> => {
        const { position } = await appending;
        const idOf = (index: number): string => encoded[index]!.event.id;
        const events = recordedEvents(command, idOf, { stream, first, position });
        return { revision: first + events.length - 1, position, events };
      };
      const { metadata, within = (task) => task() } = command;
      return within(() => this.tracer?.append({ stream, metadata }, wait) ?? wait());
    });
    const outcomes = (await Promise.all(appended)).map((appended) => ({ appended }));
    this.observer?.appended(
      outcomes.flatMap(({ appended }) => appended.events),
      (performance.now() - begun) / 1000,
    );
    return [...outcomes, ...refusals];
  }

  /** Registers an observer of all later appends. */
  observe(observer: AppendObserver): void {
    this.observer = observer;
  }

  /** Reads one page of a stream, decoded. */
  async readStream(stream: string, options: ReadStreamOptions): Promise<readonly RecordedEvent[]> {
    return this.codec.decode(await this.store.readStream(stream, options));
  }

  /** Follows the given types of the log live, decoded. */
  async *follow({ after, types, signal }: FollowOptions): AsyncIterable<RecordedPage> {
    for await (const page of this.store.subscribeAll({ after, types, signal })) {
      yield { ...page, events: await this.decode(page.events) };
    }
  }

  /** Checks tags, for callers that use stored events without decoding them. @throws UntaggedEventError */
  assertGenuine(events: readonly PersistedEvent[]): void {
    this.codec.assertGenuine(events);
  }

  /** Decodes events that were read from the store directly. */
  decode(events: readonly PersistedEvent[]): Promise<readonly RecordedEvent[]> {
    return this.codec.decode(events);
  }

  /** Decodes without decrypting: see {@link EventCodec.decodeWithoutDecrypting}. */
  async decodeWithoutDecrypting(events: readonly PersistedEvent[]): Promise<readonly RecordedEvent[]> {
    return this.codec.decodeWithoutDecrypting(events);
  }
}

/** The first commands that fit together into one append, and the refusal of the next one, if it was refused. */
function fittingOnes<Event extends DomainEvent>(
  results: readonly PromiseSettledResult<EncodedCommand<Event>>[],
): {
  readonly fitting: readonly EncodedCommand<Event>[];
  readonly refusals: readonly { readonly refusal: unknown }[];
} {
  const fitting: EncodedCommand<Event>[] = [];
  let bytes = 0;
  for (const result of results) {
    if (result.status === 'rejected') return { fitting, refusals: [{ refusal: result.reason }] };
    bytes += bytesOf(result.value.encoded);
    if (bytes > MAX_APPEND_BYTES) break;
    fitting.push(result.value);
  }
  return { fitting, refusals: [] };
}

/** The events of a command as they will be read back, given the revision of the first one. */
export function recordedEvents<Event extends DomainEvent>(
  { events, metadata }: CommandEvents<Event>,
  idOf: (index: number) => string,
  { stream, first, position }: { readonly stream: string; readonly first: number; readonly position: number },
): readonly RecordedEvent<Event>[] {
  return events.map((event, index) => ({
    ...event,
    id: idOf(index),
    stream,
    revision: first + index,
    position,
    metadata,
    erased: false,
  }));
}
