import type { Moment } from '../../access/moment.js';

/** Who decides on the stream `users`: an account by its id, looked up in the very state that guards the decision. */
export interface Acting {
  readonly actorId: number;
}

/** The same where what the person may do hangs on groups, and so on the moment. */
export interface ActingAt extends Acting {
  readonly moment: Moment;
}
