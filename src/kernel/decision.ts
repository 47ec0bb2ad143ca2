import type { Fold } from './decider.js';
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

/** How a stream is folded, where the state before its first event may stand elsewhere. */
export interface StreamFold<State, Past> extends Omit<Fold<State, Past>, 'initial'> {
  /** It is looked up only where nothing of the stream is known. */
  readonly initial: State | (() => Promise<State>);
}

/** A stream and how it is folded. */
export interface FoldedStream<State, Past> {
  readonly stream: string;
  /** Every fold of a stream with the same `evolve` begins with the same state: see {@link Streams.load}. */
  readonly fold: StreamFold<State, Past>;
}

/** Where a decision is to be appended. */
export interface AppendTarget {
  readonly stream: string;
  /** Revision that the decision was made at; null: there was no stream. */
  readonly revision: number | null;
}

/** What one command appends to a stream. */
export interface CommandEvents<Event extends DomainEvent> {
  readonly events: readonly Event[];
  readonly metadata: EventMetadata;
  /** Runs something where the command was given, so that what is recorded of it belongs to that; absent: here. */
  readonly within?: <Result>(task: () => Result) => Result;
}

/** What became of a command's events: they are in the log, or were refused before they were written. */
export type AppendOutcome<Event extends DomainEvent> =
  { readonly appended: AppendedEvents<Event> } | { readonly refusal: unknown };

/** A decision whose turn has come, and who waits for it. */
export interface PendingDecision<State, Past, Event extends DomainEvent> extends Pick<
  CommandEvents<Event>,
  'within'
> {
  readonly decision: Decision<State, Past, Event>;
  readonly resolve: (appended: AppendedEvents<Event> | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The streams of the log as {@link handle} needs them. */
export interface Streams {
  /**
   * Gives a decision its turn: those about one stream are made one after another, in the order in which they came. Decisions by the
   * same fold that wait for the same turn are given to `decideTogether` at once.
   */
  inTurn<State, Past, Event extends DomainEvent>(
    decision: Decision<State, Past, Event>,
    decideTogether: (pending: readonly PendingDecision<State, Past, Event>[]) => Promise<void>,
  ): Promise<AppendedEvents<Event> | null>;
  /** The state after everything that the stream holds when this is called. It is never changed: treat it as immutable. */
  load<State, Past>(folded: FoldedStream<State, Past>): Promise<LoadedStream<State>>;
  /** The state as this process last knew it, without a look into the log; null: it does not know the stream. */
  kept<State, Past>(folded: FoldedStream<State, Past>): LoadedStream<State> | null;
  /** What a command appended to a stream, if that was lately: it is looked for among the last commands of the state that is kept. */
  appendedBy<Event extends DomainEvent>(
    commandId: string,
    folded: FoldedStream<unknown, never>,
  ): Promise<AppendedEvents<Event> | null>;
  /**
   * Events as they will be read back once they are appended at a revision. Where they will stand in the whole log is not known:
   * their position is 0.
   */
  expected<Event extends DomainEvent>(
    command: CommandEvents<Event>,
    place: { readonly stream: string; readonly revision: number },
  ): readonly RecordedEvent<Event>[];
  /**
   * Appends what commands decided one after another, at that very revision, at once: all of it or nothing.
   *
   * @returns what became of each, in order, up to the first refusal or to where the rest would be too much at once: fewer than were
   * given then, but one at least; null when the stream has gone on
   */
  appendTogether<Event extends DomainEvent>(
    target: AppendTarget,
    commands: readonly CommandEvents<Event>[],
  ): Promise<readonly AppendOutcome<Event>[] | null>;
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
  /** How often it is decided at most while other processes are faster; 10 when absent. */
  readonly attempts?: number;
}
