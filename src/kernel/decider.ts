/**
 * The pure core of an aggregate: its initial state, and how each event changes it. The `decide` of each command stands beside
 * its command and has the shape {@link Decide}.
 */
export interface Fold<State, Event> {
  /** What its snapshots are known by; absent: the streams that it folds are short, or hold what messages say. */
  readonly snapshot?: SnapshotDeclaration;
  /** The state before anything happened. */
  readonly initial: State;
  /** Total and deterministic: no clock, randomness, I/O or configuration. Events it does not know change nothing. */
  evolve(this: void, state: State, event: Event): State;
}

/** For decisions that ask nothing of what their stream holds. */
export const noState: Fold<null, never> = { initial: null, evolve: () => null };

/**
 * A fold whose states are kept beside the log, so that a long stream need not be read from its beginning. States are plain JSON
 * and persistent maps of such. They may hold what goes when a person is erased, but nothing of what is erased by itself: messages,
 * invitations, drafts, plans, reminders, snippets and the names of files.
 */
export interface SnapshotDeclaration {
  /** Unique among folds. */
  readonly name: string;
  /** Raised when the same events make another state: snapshots of other versions are ignored. */
  readonly version: number;
}

/** What a command makes of a state: the events to append (none: nothing changes), or an {@link ApplicationError}. */
export type Decide<State, Command, Context, Event> = (
  state: State,
  command: Command,
  context: Context,
) => readonly Event[];
