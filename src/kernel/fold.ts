import type { RecordedEvent } from './event.js';

/**
 * The pure core of an aggregate: its initial state, and how each event changes it. A command's `decide` function returns
 * the events to append (none: nothing changes), or throws an {@link ApplicationError}.
 */
export interface Fold<State, Event> {
  /**
   * How snapshots of its states are stored; absent: they are not, because the streams are short or hold the texts of
   * messages.
   */
  readonly snapshot?: SnapshotDeclaration;
  /** The state before the first event. */
  readonly initial: State;
  /** Total and deterministic: no clock, randomness, I/O or configuration. An event of an unknown type changes nothing. */
  evolve(this: void, state: State, event: Event): State;
}

/**
 * The state after one more event of the stream, of any type. Which events are in a stream is only known to its fold, which ignores others.
 */
export function evolveAny<State, Event>(
  { evolve }: Pick<Fold<State, Event>, 'evolve'>,
  state: State,
  event: RecordedEvent,
): State {
  return evolve(state, event as Event);
}

/** For decisions that do not depend on the events of their stream. */
export const noState: Fold<null, never> = { initial: null, evolve: () => null };

/**
 * A fold whose states are stored beside the log, so that a long stream need not be read from its beginning. States are
 * plain JSON and persistent maps of plain JSON. A state may hold data that is destroyed when its person is erased, but
 * none that can be erased separately: messages, invitations, drafts, scheduled messages, reminders, snippets and names
 * of files.
 */
export interface SnapshotDeclaration {
  /** Unique among folds. */
  readonly name: string;
  /** Raised when the same events lead to a different state: snapshots of other versions are ignored. */
  readonly version: number;
}
