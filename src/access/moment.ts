import type { Directory } from './directory.js';

/** Who existed and what held at one moment: all that a question of membership or permission depends on. */
export interface Moment {
  readonly directory: Directory;
  /** Milliseconds since the UNIX epoch; an account's age decides whether it is a full member. */
  readonly now: number;
}
