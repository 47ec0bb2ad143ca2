import { accountLinkEvents } from '../events/account-links.js';
import { channelEvents } from '../events/channels.js';
import { deviceEvents } from '../events/devices.js';
import { erasureEvents, MessageErased } from '../events/erasure.js';
import { InvitationAccepted } from '../events/invitations.js';
import { securityEvents } from '../events/security.js';
import { UserSettingAssigned } from '../events/settings.js';
import { userGroupEvents } from '../events/user-groups.js';
import { userEvents } from '../events/users.js';
import type { LogSelection } from './log-selection.js';

const typesOf = (definitions: readonly { readonly type: string }[]): readonly string[] =>
  definitions.map(({ type }) => type);

/**
 * The events of an account's history: its properties, memberships and log-ins, but not what the person wrote and read.
 */
const personTypes = typesOf([
  ...userEvents,
  ...securityEvents,
  ...accountLinkEvents,
  ...userGroupEvents,
  ...channelEvents,
  ...deviceEvents,
  ...erasureEvents.filter((definition) => definition !== MessageErased),
  InvitationAccepted,
  UserSettingAssigned,
]);

const channelTypes = typesOf(channelEvents);

/** Selects what happened to an account. */
export function personLife(userId: number): LogSelection {
  return { aboutId: userId, types: personTypes };
}

/** Selects what happened to a channel, but not the messages sent to it. */
export function channelLife(channelId: number): LogSelection {
  return { channelId, types: channelTypes };
}
