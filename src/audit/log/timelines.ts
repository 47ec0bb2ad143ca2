import { accountLinkEvents } from '../../events/account-links.js';
import { channelEvents } from '../../events/channels.js';
import { deviceEvents } from '../../events/devices.js';
import { erasureEvents, MessageErased } from '../../events/erasure.js';
import { externalSignInEvents } from '../../events/external-sign-in.js';
import { InvitationAccepted } from '../../events/invitations.js';
import { secondFactorEvents } from '../../events/second-factor.js';
import { securityEvents } from '../../events/security.js';
import { UserSettingAssigned } from '../../events/settings.js';
import { UserStatusChanged } from '../../events/statuses.js';
import { userGroupEvents } from '../../events/user-groups.js';
import { userEvents } from '../../events/users.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { LogSelection } from './log-selection.js';

const typesOf = (definitions: readonly { readonly type: string }[]): readonly string[] =>
  definitions.map(({ type }) => type);

/** Who got into an account, and how. */
const signInEvents = [...securityEvents, ...secondFactorEvents, ...externalSignInEvents];

/**
 * The events of an account's history: its properties, memberships and log-ins, but not what the person wrote and read.
 */
const personTypes = typesOf([
  ...userEvents,
  ...signInEvents,
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
export function personTimeline(userId: number): LogSelection {
  return { aboutId: userId, types: personTypes };
}

/** Selects what happened to a channel, but not the messages sent to it. */
export function channelTimeline(channelId: number): LogSelection {
  return { channelId, types: channelTypes };
}

const types = [
  ...userEvents,
  ...accountLinkEvents,
  ...deviceEvents,
  ...signInEvents,
  UserSettingAssigned,
  UserStatusChanged,
].map(({ type }) => type);

/**
 * Selects what happened to a person's account, for that person: what auditors see of an account, without events about
 * channels, groups and cases.
 */
export function ownTimeline(userId: number): LogSelection {
  const passes = ({ data }: RecordedEvent): boolean =>
    (data as { readonly userId?: unknown } | null)?.userId === userId;
  return { aboutId: userId, types, passes };
}
