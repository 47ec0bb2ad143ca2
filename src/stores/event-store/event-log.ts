import type { DomainEvent, EventMetadata, RecordedEvent } from '../../kernel/event.js';
import type { Tracer } from '../../runtime/tracing/tracer.js';
import type { AppendObserver } from './append-observer.js';
import type { AppendPlace, EventCodec } from './codec.js';
import type { AppendResult, EventStore, PersistedEvent, ReadStreamOptions } from './port.js';

/** What an append came to: the events as they stand in the log. */
export interface Appended<Event extends DomainEvent = DomainEvent> extends AppendResult {
  readonly events: readonly RecordedEvent<Event>[];
}

/** A page of decoded events; see {@link EventPage}. */
export interface RecordedPage {
  readonly events: readonly RecordedEvent[];
  readonly position: number;
  readonly live: boolean;
}

/** Options of {@link EventLog.follow}. */
export interface FollowOptions {
  /** Only events after this position; null: from the beginning. */
  readonly after: number | null;
  readonly types: readonly string[];
  readonly signal: AbortSignal;
}

/** The event store as the application sees it: domain events in, recorded events out, through the one codec. */
export class EventLog {
  private observer: AppendObserver | null = null;
  /** Records what is done with the log by whoever holds it; null: nobody does. */
  tracer: Tracer | null = null;

  constructor(
    readonly store: EventStore,
    private readonly codec: EventCodec,
  ) {}

  /**
   * Appends domain events to one stream. Their ids derive from the command's id and their index, so that a retry of the
   * same command writes nothing twice.
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
    const recorded = events.map((event, index) => ({
      ...event,
      id: stored[index]!.id,
      stream,
      revision: first + index,
      position,
      metadata,
      erased: false,
    }));
    return { revision, position, events: recorded };
  }

  /** Tells somebody of every append from now on. */
  observe(observer: AppendObserver): void {
    this.observer = observer;
  }

  /** Reads one page of a stream, decoded. */
  async readStream(stream: string, options: ReadStreamOptions): Promise<readonly RecordedEvent[]> {
    return this.codec.decode(await this.store.readStream(stream, options));
  }

  /** Follows the log live, decoded, only the given types. */
  async *follow({ after, types, signal }: FollowOptions): AsyncIterable<RecordedPage> {
    for await (const page of this.store.subscribeAll({ after, types, signal })) {
      yield { ...page, events: await this.decode(page.events) };
    }
  }

  /** For whoever uses stored events without decoding them. @throws UntaggedEventError */
  assertGenuine(events: readonly PersistedEvent[]): void {
    this.codec.assertGenuine(events);
  }

  /** Decodes events that were read from the store directly. */
  decode(events: readonly PersistedEvent[]): Promise<readonly RecordedEvent[]> {
    return this.codec.decode(events);
  }

  /** Decodes all of them but what is erasable: see {@link EventCodec.decodeClear}. */
  async decodeClear(events: readonly PersistedEvent[]): Promise<readonly RecordedEvent[]> {
    return this.codec.decodeClear(events);
  }
}
