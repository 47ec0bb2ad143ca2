import { describe, expect, it } from '@jest/globals';
import { channelPermission, channelPermissionTable } from '../../src/access/channel-permission-values.js';
import { groupPermission, groupPermissionTable } from '../../src/access/group-permission-values.js';
import { hasPermission, isPermitted } from '../../src/access/membership.js';
import {
  mayAddCustomEmoji,
  mayAddGroupMembers,
  mayDeleteAnyMessage,
  mayJoinGroup,
  mayLeaveGroup,
  mayMoveOutOfChannel,
  mayRemoveGroupMembers,
  maySetDeletionPolicy,
} from '../../src/access/permissions.js';
import type { GroupSetting } from '../../src/events/values/group-setting.js';
import {
  organizationPermissionNames,
  organizationPermissionTable,
} from '../../src/events/values/organization-permissions.js';
import { createChannel, ordinaryChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';

const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
const everybody = Object.keys(roles);
const allButGuests = everybody.filter((role) => role !== 'guest');

type Ids = readonly number[];
/** How a permission may come to a guest although `role:everyone` is refused. */
const ways: Readonly<Record<string, (organization: TestOrganization, ids: Ids) => GroupSetting>> = {
  'people by name': (_organization, ids) => ({ direct_members: [...ids], direct_subgroups: [] }),
  'a group of people': (organization, ids) => organization.group(ids),
  'a group that has all people as a subgroup': (organization) => organization.group([], [2]),
};

function settled<Name extends string>(table: Readonly<Record<Name, unknown>>, value: GroupSetting) {
  const entries = Object.keys(table).map((name) => [name, value]);
  return Object.fromEntries(entries) as Record<Name, GroupSetting>;
}

/** An organization, a channel and a group that give every permission in one of these ways to a person of each role. */
function given(way: string) {
  const organization = new TestOrganization();
  const ids = Object.values(roles).map((role) => organization.register({ role }));
  const value = ways[way]!(organization, ids);
  const permissions = settled(organizationPermissionTable, value);
  organization.log.append('organization', [
    { type: 'OrganizationPermissionsChanged', data: { permissions, previousPermissions: {} } },
  ]);
  const channelId = createChannel(organization, ids, {
    ...ordinaryChannel,
    permissions: settled(channelPermissionTable, value),
  });
  const groupId = organization.group([], [], settled(groupPermissionTable, value));
  const snapshot = organization.snapshot();
  const users = ids.map((id) => organization.user(id));
  const having = (may: (user: (typeof users)[number]) => boolean): string[] =>
    everybody.filter((_role, index) => may(users[index]!));
  const channel = snapshot.directory.channel(channelId)!;
  return { snapshot, having, channel, group: organization.userGroup(groupId) };
}

describe.each(Object.keys(ways))('a permission that guests cannot have, given to %s', (way) => {
  const { snapshot, having, channel, group } = given(way);

  it.each(organizationPermissionNames)('works for all other roles: %s of the organization', (name) => {
    const { allowsEveryone } = organizationPermissionTable[name];
    expect(having((user) => hasPermission(snapshot, user, name))).toEqual(
      allowsEveryone ? everybody : allButGuests,
    );
  });

  it.each(Object.entries(channelPermissionTable))(
    'works for all other roles: %s of a channel',
    (name, rule) => {
      const permission = channelPermission(channel, name as keyof typeof channelPermissionTable);
      expect(having((user) => isPermitted(snapshot, permission, user))).toEqual(
        rule.allowsEveryone ? everybody : allButGuests,
      );
    },
  );

  it.each(Object.entries(groupPermissionTable))('works for all other roles: %s of a group', (name, rule) => {
    const permission = groupPermission(group, name as keyof typeof groupPermissionTable);
    expect(having((user) => isPermitted(snapshot, permission, user))).toEqual(
      rule.allowsEveryone ? everybody : allButGuests,
    );
  });

  it('decides what people may do', () => {
    expect(having((user) => mayAddCustomEmoji(snapshot, user))).toEqual(allButGuests);
    expect(having((user) => maySetDeletionPolicy(snapshot, user))).toEqual(allButGuests);
    expect(having((user) => mayAddGroupMembers(snapshot, user, group))).toEqual(allButGuests);
    expect(having((user) => mayRemoveGroupMembers(snapshot, user, group))).toEqual(allButGuests);
    expect(having((user) => mayJoinGroup(snapshot, user, group))).toEqual(allButGuests);
    expect(having((user) => mayLeaveGroup(snapshot, user, group))).toEqual(everybody);
    expect(having((user) => mayDeleteAnyMessage(snapshot, user, null))).toEqual(allButGuests);
    // The channel's own permissions to move and delete messages can be given to guests.
    expect(having((user) => mayMoveOutOfChannel(snapshot, user, channel))).toEqual(everybody);
  });
});
