import type { Snapshot } from './snapshot.js';
import type { Permission } from './membership.js';
import { permissionValue } from './permission-value.js';
import { systemGroupIds } from '../events/values/organization-defaults.js';
import { anyGroup, noGuests, type GroupRule } from '../events/values/group-rule.js';
import type { GroupSetting } from '../events/values/group-setting.js';
import type { ChannelPermissions } from '../events/channels.js';

const { everyone, administrators, nobody } = systemGroupIds;

/**
 * Every permission of a channel, with its default in a new one. Permissions that give access to a channel
 * cannot be given to guests, who are subscribed to each channel individually.
 */
export const channelPermissionTable = {
  can_add_subscribers_group: noGuests(nobody),
  can_administer_channel_group: noGuests('creator'),
  can_create_topic_group: anyGroup(everyone),
  can_delete_any_message_group: anyGroup(nobody),
  can_delete_own_message_group: anyGroup(nobody),
  can_move_messages_out_of_channel_group: anyGroup(nobody),
  can_move_messages_within_channel_group: anyGroup(nobody),
  can_remove_subscribers_group: anyGroup(administrators),
  can_resolve_topics_group: anyGroup(nobody),
  can_send_message_group: anyGroup(everyone),
  can_subscribe_group: noGuests(nobody),
} as const satisfies Record<keyof ChannelPermissions, GroupRule>;

/** A permission of a channel, as it is set there. */
export function channelPermission(
  { permissions }: { readonly permissions: ChannelPermissions },
  name: keyof ChannelPermissions,
): Permission {
  return { setting: permissions[name], rule: channelPermissionTable[name] };
}

/** The default permissions of a new channel. */
export function defaultChannelPermissions(creatorId: number): ChannelPermissions {
  const creator: GroupSetting = { direct_members: [creatorId], direct_subgroups: [] };
  return Object.fromEntries(
    Object.entries(channelPermissionTable).map(([name, { initial }]) => [
      name,
      initial === 'creator' ? creator : initial,
    ]),
  ) as ChannelPermissions;
}

/**
 * The stored values of the permissions that a request sets.
 *
 * @throws ApplicationError those of {@link permissionValue}
 */
export function permissionValues(
  snapshot: Snapshot,
  permissions: Partial<ChannelPermissions>,
): Partial<ChannelPermissions> {
  const entries = Object.entries(permissions) as [keyof ChannelPermissions, GroupSetting][];
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      permissionValue(snapshot, { name, rule: channelPermissionTable[name] }, value),
    ]),
  );
}
