import { isKnownSetting } from '../directory/membership.js';
import type { Moment } from '../directory/moment.js';
import { failure } from '../kernel/errors.js';
import { systemGroupIds } from '../organization/defaults.js';
import { normalizeGroupSetting, type GroupSetting } from '../organization/group-setting.js';
import type { ChannelPermissions } from './events.js';

/** Who may do what in a new channel whose request does not say (facts of the API, section 4). */
export function defaultChannelPermissions(creatorId: number): ChannelPermissions {
  return {
    can_add_subscribers_group: systemGroupIds.nobody,
    can_administer_channel_group: { direct_members: [creatorId], direct_subgroups: [] },
    can_create_topic_group: systemGroupIds.everyone,
    can_delete_any_message_group: systemGroupIds.nobody,
    can_delete_own_message_group: systemGroupIds.nobody,
    can_move_messages_out_of_channel_group: systemGroupIds.nobody,
    can_move_messages_within_channel_group: systemGroupIds.nobody,
    can_remove_subscribers_group: systemGroupIds.administrators,
    can_resolve_topics_group: systemGroupIds.nobody,
    can_send_message_group: systemGroupIds.everyone,
    can_subscribe_group: systemGroupIds.nobody,
  };
}

/** What opens a channel to others is never given to guests, who are let into each channel one by one. */
const closedToGuests: ReadonlySet<keyof ChannelPermissions> = new Set([
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_subscribe_group',
]);

/**
 * A permission's value as it is kept.
 *
 * @throws ApplicationError `invalidGroupSetting` for unknown groups and people, `groupNotAllowed` for groups too wide
 */
export function permissionValue(
  moment: Moment,
  permission: keyof ChannelPermissions,
  sent: GroupSetting,
): GroupSetting {
  const value = normalizeGroupSetting(sent);
  if (!isKnownSetting(moment, value)) throw failure('invalidGroupSetting', { reason: permission });
  const groupIds = typeof value === 'number' ? [value] : value.direct_subgroups;
  const tooWide: number[] = [systemGroupIds.internet];
  if (closedToGuests.has(permission)) tooWide.push(systemGroupIds.everyone);
  if (groupIds.some((id) => tooWide.includes(id))) throw failure('groupNotAllowed', { reason: permission });
  return value;
}

/** {@link permissionValue} of every permission that is set. */
export function permissionValues(
  moment: Moment,
  permissions: Partial<ChannelPermissions>,
): Partial<ChannelPermissions> {
  const entries = Object.entries(permissions) as [keyof ChannelPermissions, GroupSetting][];
  return Object.fromEntries(
    entries.map(([permission, value]) => [permission, permissionValue(moment, permission, value)]),
  );
}
