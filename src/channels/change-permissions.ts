import { hasContentAccess } from '../directory/permissions.js';
import { failure } from '../kernel/errors.js';
import { normalizeGroupSetting, type GroupSetting } from '../organization/group-setting.js';
import type { DecideChange, PermissionChange } from './channel-changes.js';
import { assertMaySetDeletionPolicy, restrictsDeletion } from './channel-settings.js';
import type { ChannelPermissions } from './events.js';
import { permissionValue } from './permission-values.js';

/** Whoever is given one of these can read a private channel, so only its readers give them. */
const grantingContent: readonly (keyof ChannelPermissions)[] = [
  'can_add_subscribers_group',
  'can_subscribe_group',
];

/** Gives permissions of a channel to others; a stale `old` refuses the change. */
export const changePermissions: DecideChange = (channel, { permissions: changes }, { moment, caller }) => {
  const permissions: Partial<ChannelPermissions> = {};
  const previousPermissions: Partial<ChannelPermissions> = {};
  for (const [name, change] of Object.entries(changes) as [keyof ChannelPermissions, PermissionChange][]) {
    const before = channel.permissions[name];
    if (change.old !== undefined && !sameSetting(change.old, before)) {
      throw failure('expectationMismatch', { field_name: 'old' });
    }
    const value = permissionValue(moment, name, change.new);
    if (sameSetting(value, before)) continue;
    permissions[name] = value;
    previousPermissions[name] = before;
  }
  if (Object.keys(permissions).length === 0) return [];
  if (restrictsDeletion(permissions)) assertMaySetDeletionPolicy(moment, caller);
  const opens = grantingContent.some((name) => name in permissions);
  if (opens && !hasContentAccess(moment, caller, channel)) throw failure('channelContentAccessRequired');
  const data = { channelId: channel.id, permissions, previousPermissions };
  return [{ type: 'ChannelPermissionsChanged', data }];
};

function sameSetting(a: GroupSetting, b: GroupSetting): boolean {
  return JSON.stringify(normalizeGroupSetting(a)) === JSON.stringify(normalizeGroupSetting(b));
}
