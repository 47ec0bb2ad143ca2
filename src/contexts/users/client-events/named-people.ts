import { shownPermissions } from '../../../access/shown-permission.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { GroupSetting } from '../../../events/values/group-setting.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';
import { channelChanged, permissionChanges } from '../../channels/client-events/channels.js';
import { permissionEvents } from '../../organization/client-events/organization.js';
import { groupChanged } from './user-groups.js';

/**
 * Permissions show a person only while the account is active: after a deactivation or reactivation, clients
 * get the new values of the permissions that name the person.
 */
export function namedPersonEvents(snapshot: Snapshot, userId: number): readonly AddressedEvent[] {
  const { directory } = snapshot;
  const channels = [...directory.channels()].flatMap((channel) =>
    permissionChanges(snapshot, channel, namesOf(channel.permissions, userId)).flatMap((change) =>
      channelChanged(channel.id, snapshot, change),
    ),
  );
  const groups = [...directory.groups()].flatMap(({ id, permissions }) => {
    const shown = Object.entries(shownPermissions(directory, permissions));
    const names = namesOf(permissions, userId);
    if (names.length === 0) return [];
    return groupChanged(id, Object.fromEntries(shown.filter(([name]) => names.includes(name))));
  });
  const organization = namesOf(directory.organization?.permissions ?? {}, userId);
  return [...channels, ...groups, ...permissionEvents(snapshot, organization)];
}

/** Names of the permissions that name the person directly. */
function namesOf(permissions: Readonly<Record<string, GroupSetting>>, userId: number): string[] {
  return Object.entries(permissions)
    .filter(([, setting]) => typeof setting !== 'number' && setting.direct_members.includes(userId))
    .map(([name]) => name);
}
