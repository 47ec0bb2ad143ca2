import type { Fold } from './fold.js';
import type { DomainEvent, EventMetadata, RecordedEvent } from './event.js';

/** The state of a stream that a decision is based on. */
export interface LoadedStream<State> {
  readonly state: State;
  /** Revision of the last event in the state; null when the stream does not exist. */
  readonly revision: number | null;
}

/** The result of an append. */
export interface AppendedEvents<Event extends DomainEvent> {
  /** Revision of the last event. */
  readonly revision: number;
  /** Position of the last event in the log. */
  readonly position: number;
  readonly events: readonly RecordedEvent<Event>[];
}

/** How a stream is folded, where the initial state may have to be loaded. */
interface StreamFold<State, Past> extends Omit<Fold<State, Past>, 'initial'> {
  /** A function is only called when no state of the stream is cached. */
  readonly initial: State | (() => Promise<State>);
}

/** A stream and how it is folded. */
export interface FoldedStream<State, Past> {
  readonly stream: string;
  /** All folds of one stream that have the same `evolve` must have the same initial state: see {@link Streams.load}. */
  readonly fold: StreamFold<State, Past>;
}

/** The stream, and its revision, that a decision's events are appended to. */
export interface AppendTarget {
  readonly stream: string;
  /** Revision that the decision was based on; null: the stream did not exist. */
  readonly revision: number | null;
}

/** What one command appends to a stream. */
export interface CommandEvents<Event extends DomainEvent> {
  readonly events: readonly Event[];
  readonly metadata: EventMetadata;
  /** Runs a task in the context of the command, so that its spans belong to the command; absent: the current context. */
  readonly within?: <Result>(task: () => Result) => Result;
}

/** The result of appending a command's events: they are in the log, or they were refused before they were written. */
export type AppendOutcome<Event extends DomainEvent> =
  { readonly appended: AppendedEvents<Event> } | { readonly refusal: unknown };

/** A decision that holds the stream's lock, and the function that completes it. */
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
   * Takes the lock of a decision's stream: decisions about one stream are made one after another, in the order of their
   * arrival. Waiting decisions with the same fold are passed to `decideTogether` together.
   */
  decideWithLock<State, Past, Event extends DomainEvent>(
    decision: Decision<State, Past, Event>,
    decideTogether: (pending: readonly PendingDecision<State, Past, Event>[]) => Promise<void>,
  ): Promise<AppendedEvents<Event> | null>;
  /** The state after all events that are in the stream when this is called. Treat it as immutable. */
  load<State, Past>(folded: FoldedStream<State, Past>): Promise<LoadedStream<State>>;
  /** The cached state, without reading the log; null: no state of the stream is cached. */
  cached<State, Past>(folded: FoldedStream<State, Past>): LoadedStream<State> | null;
  /**
   * The events that a command appended to a stream, if it is among the last commands of the cached state, was just refused by
   * `appendTogether` because it is in the log, or is caused by an event that a reactor handles again: only if the id of that event is its
   * `causationId`.
   */
  appendedBy<Event extends DomainEvent>(
    metadata: EventMetadata,
    folded: FoldedStream<unknown, never>,
  ): Promise<AppendedEvents<Event> | null>;
  /**
   * The events as they will be read back after being appended at a revision. Their position in the log is not known yet
   * and is given as 0.
   */
  preview<Event extends DomainEvent>(
    command: CommandEvents<Event>,
    place: { readonly stream: string; readonly revision: number },
  ): readonly RecordedEvent<Event>[];
  /**
   * Appends the events of several consecutive decisions atomically, at exactly that revision.
   *
   * @returns the outcome of each command in order, up to the first refusal or up to the size limit of an append: at
   *   least one, perhaps fewer than were given; null when the stream has a newer revision, or events of one of the commands, which
   *   `appendedBy` finds then
   */
  appendTogether<Event extends DomainEvent>(
    target: AppendTarget,
    commands: readonly CommandEvents<Event>[],
  ): Promise<readonly AppendOutcome<Event>[] | null>;
}

/** A decision to be made about one stream. */
export interface Decision<State, Past, Event extends DomainEvent> extends FoldedStream<State, Past> {
  /** Pure, because it is called again when another process appended in the meantime. No events: nothing changes. */
  readonly decide: (state: State, revision: number | null) => readonly Event[];
  readonly metadata: EventMetadata;
  /**
   * Awaited right after the append and before the read barrier, to store what readers of the events look up outside of
   * the log. {@link handle} throws its errors, although the events are in the log.
   */
  readonly afterAppend?: (events: readonly RecordedEvent<Event>[]) => Promise<void>;
  /** Maximum number of attempts while other processes append to the same stream; absent: 10. */
  readonly attempts?: number;
}

/**
 * Declares a stream of which there is exactly one, with its fold.
 *
 * @param name of the stream in the log; it never changes
 */
export function stream<State, Past>(name: string, fold: Fold<State, Past>): FoldedStream<State, Past> {
  return { stream: name, fold };
}

/** Declares the streams of an aggregate with many instances: one stream for each id, all with the same fold. */
export function streamsOf<State, Past, Id = number>(
  nameOf: (id: Id) => string,
  fold: Fold<State, Past>,
): (id: Id) => FoldedStream<State, Past> {
  return (id) => ({ stream: nameOf(id), fold });
}
