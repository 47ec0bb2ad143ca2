import type { Snapshot } from './snapshot.js';
import type { User } from './records/user.js';

/**
 * The account that acts, with the snapshot that its permissions are judged by: what every decision about a
 * request may depend on.
 */
export interface Actor {
  readonly user: User;
  readonly snapshot: Snapshot;
}
