import type { UserGroupEvent } from '../../../events/user-groups.js';
import { groupObject } from '../users.view.js';
import { membersOf } from '../../../access/membership.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { definedOf } from '../../../kernel/json.js';
import { shownPermissions } from '../../../access/permission-value.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import type { AddressedEvent, Mappers } from '../../../realtime/mapper.js';
import { membershipMapper } from '../../channels/client-events/group-access.js';
import type { UserModels } from '../client-models.js';

/** User groups, with the channels that their members may know of. */
export const userGroupMappers: Mappers<UserGroupEvent, UserModels> = {
  UserGroupCreated: {
    clientEvents: ({ data: { groupId } }, { snapshot }) => toEveryone(addition(groupId, snapshot)),
  },
  UserGroupMembersChanged: membershipMapper({
    concerned: ({ data: { added, removed } }) => [...added, ...removed],
    clientEvents: ({ data: { groupId, added, removed } }, snapshot) => [
      ...(added.length === 0 ? [] : [groupEvent(snapshot, groupId, { op: 'add_members', user_ids: added })]),
      ...(removed.length === 0
        ? []
        : [groupEvent(snapshot, groupId, { op: 'remove_members', user_ids: removed })]),
    ],
  }),
  UserGroupSubgroupsChanged: membershipMapper({
    concerned: ({ data: { added, removed } }, snapshot) =>
      membersOf(snapshot, { direct_members: [], direct_subgroups: [...added, ...removed] }),
    clientEvents: ({ data: { groupId, added, removed } }, snapshot) => [
      ...(added.length === 0
        ? []
        : [groupEvent(snapshot, groupId, { op: 'add_subgroups', direct_subgroup_ids: added })]),
      ...(removed.length === 0
        ? []
        : [groupEvent(snapshot, groupId, { op: 'remove_subgroups', direct_subgroup_ids: removed })]),
    ],
  }),
  UserGroupRenamed: {
    clientEvents: ({ data: { groupId, name } }, { snapshot }) => [groupChanged(snapshot, groupId, { name })],
  },
  UserGroupDescriptionChanged: {
    clientEvents: ({ data: { groupId, description } }, { snapshot }) => [
      groupChanged(snapshot, groupId, { description }),
    ],
  },
  UserGroupPermissionsChanged: {
    clientEvents: ({ data: { groupId, permissions } }, { snapshot }) => [
      groupChanged(snapshot, groupId, shownPermissions(snapshot.directory, definedOf(permissions))),
    ],
  },
  UserGroupDeactivated: {
    clientEvents: ({ data: { groupId } }) => [
      knownApart(update(groupId, { deactivated: true }), change('remove', groupId)),
    ],
  },
  UserGroupReactivated: {
    clientEvents: ({ data: { groupId } }, { snapshot }) => [
      knownApart(update(groupId, { deactivated: false }), addition(groupId, snapshot)),
    ],
  },
};

function toEveryone(event: ClientEvent | null): readonly AddressedEvent[] {
  return event === null ? [] : [{ to: 'everyone', event }];
}

function change(op: string, groupId: number, fields: object = {}): ClientEvent {
  return { type: 'user_group', op, group_id: groupId, ...fields };
}

/** The client event about new values of a group's properties, see {@link groupEvent}. */
export function groupChanged(snapshot: Snapshot, groupId: number, data: object): AddressedEvent {
  return groupEvent(snapshot, groupId, { op: 'update', data });
}

/**
 * A client event about a group, for everyone. While the group is deactivated, clients without support for
 * deactivated groups do not know it, and get none.
 */
export function groupEvent(
  { directory }: Snapshot,
  groupId: number,
  { op, ...fields }: { readonly op: string; readonly [field: string]: unknown },
): AddressedEvent {
  const event = change(op, groupId, fields);
  const isDeactivated = directory.group(groupId)?.isDeactivated ?? false;
  return isDeactivated ? knownApart(event, null) : { to: 'everyone', event };
}

function update(groupId: number, data: object): ClientEvent {
  return change('update', groupId, { data });
}

function addition(groupId: number, snapshot: Snapshot): ClientEvent | null {
  const group = snapshot.directory.group(groupId);
  return group === null ? null : { type: 'user_group', op: 'add', group: groupObject(snapshot, group) };
}

/** Clients without support for deactivated groups get the second event instead; null: none. */
function knownApart(change: ClientEvent, older: ClientEvent | null): AddressedEvent {
  return {
    to: 'everyone',
    event: ({ options }) => (options.capabilities.include_deactivated_groups ? change : older),
  };
}
