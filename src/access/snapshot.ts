import type { Directory } from './directory.js';

/** The directory with a time: all that a question of membership or permission depends on. */
export interface Snapshot {
  readonly directory: Directory;
  /** Milliseconds since the UNIX epoch; an account's age decides whether it is a full member. */
  readonly now: number;
}
