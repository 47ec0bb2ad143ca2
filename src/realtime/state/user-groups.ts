import { groupObject } from '../../users/views/group-object.js';
import type { InitialState } from './initial-state.js';

/** User groups with those who are in them. */
export const userGroupState: InitialState = {
  realm_user_groups: ({ moment, options }) => ({
    realm_user_groups: [...moment.directory.groups()]
      .filter(({ isDeactivated }) => !isDeactivated || options.capabilities.include_deactivated_groups)
      .sort((a, b) => a.id - b.id)
      .map((group) => groupObject(moment, group)),
  }),
};
