import type { Fold } from './decider.js';
import { failure } from './errors.js';
import type { DomainEvent, EventMetadata, RecordedEvent } from './event.js';

/** A stream as a decision finds it. */
export interface LoadedStream<State> {
  readonly state: State;
  /** Revision of the last event that the state reflects; null when there is no stream. */
  readonly revision: number | null;
}

/** What an append came to. */
export interface AppendedEvents<Event extends DomainEvent> {
  /** Revision of the last event. */
  readonly revision: number;
  /** Position of the last event in the log. */
  readonly position: number;
  readonly events: readonly RecordedEvent<Event>[];
}

/** A stream and how it is folded. */
export interface FoldedStream<State, Past> {
  readonly stream: string;
  /** Every fold of a stream with the same `evolve` begins with the same state: see {@link Streams.load}. */
  readonly fold: Fold<State, Past>;
}

/** Where a decision is to be appended. */
export interface AppendTarget {
  readonly stream: string;
  /** Revision that the decision was made at; null: there was no stream. */
  readonly revision: number | null;
}

/** The streams of the log as {@link handle} needs them. */
export interface Streams {
  /** Runs tasks of one stream one after another, in the order in which they came. */
  withLock<Result>(stream: string, task: () => Promise<Result>): Promise<Result>;
  /** The state after everything that the stream holds when this is called. It is never changed: treat it as immutable. */
  load<State, Past>(folded: FoldedStream<State, Past>): Promise<LoadedStream<State>>;
  /** What a command appended to a stream, if that was lately: it is looked for among the last commands, after a `load`. */
  appendedBy<Event extends DomainEvent>(
    commandId: string,
    folded: FoldedStream<unknown, never>,
  ): Promise<AppendedEvents<Event> | null>;
  /** Runs a decision where somebody records how long it takes; absent: nobody does. */
  traced?<Result>(
    command: Pick<Decision<never, never, never>, 'stream' | 'metadata'>,
    task: () => Promise<Result>,
  ): Promise<Result>;
  /** Appends at that very revision; null when the stream has gone on. */
  append<Event extends DomainEvent>(
    target: AppendTarget,
    events: readonly Event[],
    metadata: EventMetadata,
  ): Promise<AppendedEvents<Event> | null>;
}

/** A decision to be made about one stream. */
export interface Decision<State, Past, Event extends DomainEvent> extends FoldedStream<State, Past> {
  /** Pure, because it is called again when the stream went on meanwhile. No events: nothing changes. */
  readonly decide: (state: State, revision: number | null) => readonly Event[];
  readonly metadata: EventMetadata;
  /**
   * Awaited right after the append, before anybody waits for those who read it: for what they look for outside the log.
   * What it throws is thrown by {@link handle}, though the events are in the log.
   */
  readonly afterAppend?: (events: readonly RecordedEvent<Event>[]) => Promise<void>;
  /** How often it is decided at most; 10 when absent. */
  readonly attempts?: number;
}

/**
 * Loads a stream, decides, and appends at the revision that was decided on; when another writer was faster, it loads and
 * decides again. In one process the decisions about a stream wait for each other, so only other processes are ever faster.
 *
 * A command whose id the stream knows already (a retry after a lost reply) is not decided again: it gets the answer of the
 * first time. So a command appends to one stream at most once.
 *
 * @returns what was appended; null when nothing was to change
 * @throws ApplicationError what `decide` refuses with; `unavailable` when other writers were faster every time
 */
export function handle<State, Past, Event extends DomainEvent>(
  streams: Streams,
  decision: Decision<State, Past, Event>,
): Promise<AppendedEvents<Event> | null> {
  const decide = (): ReturnType<typeof decideAndAppend<State, Past, Event>> =>
    decideAndAppend(streams, decision);
  return streams.withLock(decision.stream, () => streams.traced?.(decision, decide) ?? decide());
}

async function decideAndAppend<State, Past, Event extends DomainEvent>(
  streams: Streams,
  decision: Decision<State, Past, Event>,
): Promise<AppendedEvents<Event> | null> {
  const { stream, decide, metadata, attempts = 10 } = decision;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { state, revision } = await streams.load(decision);
    const earlier = await streams.appendedBy<Event>(metadata.commandId, decision);
    if (earlier !== null) return earlier;
    const events = decide(state, revision);
    if (events.length === 0) return null;
    const appended = await streams.append({ stream, revision }, events, metadata);
    if (appended === null) continue;
    await decision.afterAppend?.(appended.events);
    return appended;
  }
  throw failure('unavailable');
}
