import { attentionState } from './attention.js';
import { channelState } from './channels.js';
import { deviceState } from './devices.js';
import type { InitialState } from './initial-state.js';
import { messageState } from './messages.js';
import { nothingYet } from './nothing-yet.js';
import { realmState } from './organization.js';
import { personalState } from './personal.js';
import { presenceState } from './presence.js';
import { settingState } from './settings.js';
import { statusState } from './statuses.js';
import { userGroupState } from './user-groups.js';
import { userState } from './users.js';

/** Everything that a client can be told of from the start. */
export const initialState: InitialState = {
  ...nothingYet,
  ...realmState,
  ...userState,
  ...userGroupState,
  ...channelState,
  ...messageState,
  ...attentionState,
  ...personalState,
  ...settingState,
  ...statusState,
  ...presenceState,
  ...deviceState,
};
