import { statusObject } from './status-object.js';
import type { InitialState } from '../../realtime/initial-state.js';

/** What people say of what they are about, of those who say anything. */
export const statusState: InitialState = {
  user_status: ({ moment: { directory } }) => ({
    user_status: Object.fromEntries(
      [...directory.users()]
        .filter(({ isActive, bot }) => isActive && bot === null)
        .map(({ id }) => [id, statusObject(directory, id)] as const)
        .filter(([, status]) => Object.keys(status).length > 0),
    ),
  }),
};
