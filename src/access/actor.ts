import type { Snapshot } from './snapshot.js';
import type { User } from './records/user.js';

/** Who acts, and the organization as they find it: what every decision about a request may depend on. */
export interface Actor {
  readonly user: User;
  readonly snapshot: Snapshot;
}
