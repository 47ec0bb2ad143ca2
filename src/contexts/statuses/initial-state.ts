import type { AcquaintanceModels } from '../users/client-models.js';
import { KnownPeople } from '../users/known-people.js';
import { statusObject } from './status-object.js';
import type { InitialState } from '../../realtime/initial-state.js';

/** The statuses of people whom the person may know. */
export const statusState: InitialState<AcquaintanceModels> = {
  user_status: async ({ user: viewer, snapshot, models }) => {
    const { directory } = snapshot;
    const knows = await new KnownPeople(models).to(viewer, snapshot);
    return {
      user_status: Object.fromEntries(
        [...directory.users()]
          .filter((user) => user.isActive && user.bot === null && knows(user))
          .map(({ id }) => [id, statusObject(directory, id)] as const)
          .filter(([, status]) => Object.keys(status).length > 0),
      ),
    };
  },
};
