import { describe, expect, it } from '@jest/globals';
import {
  decideChangeGroupMembers,
  type MemberChanges,
} from '../../src/contexts/users/group-members.decide.js';
import {
  decideCreateUserGroup,
  type NewUserGroup,
  decideUpdateUserGroup,
  type UserGroupChanges,
} from '../../src/contexts/users/user-groups.decide.js';
import type { UserGroupEvent } from '../../src/events/user-groups.js';
import type { GroupSetting } from '../../src/events/values/group-setting.js';
import { refusal } from '../support/given.js';
import { GROUPS_STREAM } from '../../src/contexts/users/user-groups.state.js';
import { createChannel, ordinaryChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';

const support: NewUserGroup = {
  name: 'support',
  description: 'Helpers',
  memberIds: [],
  subgroupIds: [],
  permissions: {},
};

function create(
  organization: TestOrganization,
  actorId: number,
  group: Partial<NewUserGroup>,
): readonly UserGroupEvent[] {
  const by = { user: organization.user(actorId), snapshot: organization.snapshot() };
  return decideCreateUserGroup(organization.groups, { ...support, ...group }, by);
}

describe('creating a user group', () => {
  it('lets its creator manage it and everyone mention and leave it', () => {
    const organization = new TestOrganization();
    const [ada, bo] = [organization.register(), organization.register()];
    expect(create(organization, ada, { name: ' support ', memberIds: [bo, bo], subgroupIds: [6] })).toEqual([
      {
        type: 'UserGroupCreated',
        data: {
          groupId: 9,
          name: 'support',
          description: 'Helpers',
          isSystem: false,
          memberIds: [bo],
          subgroupIds: [6],
          permissions: {
            can_add_members_group: { direct_members: [ada], direct_subgroups: [] },
            can_join_group: 8,
            can_leave_group: 2,
            can_manage_group: { direct_members: [ada], direct_subgroups: [] },
            can_mention_group: 2,
            can_remove_members_group: 8,
          },
        },
      },
    ]);
  });

  it('bounds its description as that of a channel', () => {
    const organization = new TestOrganization();
    const ada = organization.register();
    const [event] = create(organization, ada, { description: ` ${'𝔞'.repeat(1024)} ` });
    expect(event).toMatchObject({ data: { description: '𝔞'.repeat(1024) } });
    const longer = (): unknown => create(organization, ada, { description: 'a'.repeat(1025) });
    expect(refusal(longer)).toBe('channelDescriptionTooLong');
  });

  it('takes permissions as they were sent, a single group as its id', () => {
    const organization = new TestOrganization();
    const permissions = { can_mention_group: { direct_members: [], direct_subgroups: [6] } };
    const [event] = create(organization, organization.register(), { permissions });
    expect(event).toMatchObject({ data: { permissions: { can_mention_group: 6 } } });
  });

  it.each([
    ['userGroupNameTaken', { name: 'Role:Members' }],
    ['userGroupNameEmpty', { name: '  ' }],
    ['userGroupNameTooLong', { name: 'x'.repeat(101) }],
    ['userGroupNameInvalid', { name: 'role:kings' }],
    ['userGroupNameInvalid', { name: '@all' }],
    ['noSuchUser', { memberIds: [99] }],
    ['invalidUserGroup', { subgroupIds: [99] }],
    ['invalidGroupSetting', { permissions: { can_join_group: 99 } }],
  ])('is refused as %s: %j', (row, group) => {
    const organization = new TestOrganization();
    expect(refusal(() => create(organization, organization.register(), group))).toBe(row);
  });

  it('is not for guests', () => {
    const organization = new TestOrganization();
    const guest = organization.register({ role: 600 });
    expect(refusal(() => create(organization, guest, {}))).toBe('insufficientPermission');
  });
});

describe('changing who is in a user group', () => {
  const change = (
    organization: TestOrganization,
    actorId: number,
    changes: Partial<MemberChanges> & Pick<MemberChanges, 'groupId'>,
  ): readonly UserGroupEvent[] => {
    const by = { user: organization.user(actorId), snapshot: organization.snapshot() };
    const none = { add: [], remove: [], addSubgroups: [], removeSubgroups: [] };
    return decideChangeGroupMembers(organization.groups, { ...none, ...changes }, by);
  };

  it('adds and removes in one event', () => {
    const organization = new TestOrganization();
    const [owner, ada, bo] = [
      organization.register({ role: 100 }),
      organization.register(),
      organization.register(),
    ];
    const groupId = organization.group([ada]);
    expect(change(organization, owner, { groupId, add: [bo, bo], remove: [ada] })).toEqual([
      { type: 'UserGroupMembersChanged', data: { groupId, added: [bo], removed: [ada] } },
    ]);
  });

  it('lets only owners make auditors by way of a group, directly or through subgroups', () => {
    const organization = new TestOrganization();
    const owner = organization.register({ role: 100 });
    const [ada, bo] = [organization.register(), organization.register()];
    const own = { direct_members: [ada], direct_subgroups: [] };
    const permissions = { can_manage_group: own, can_join_group: own };
    const inner = organization.group([bo], [], permissions);
    const auditors = organization.group([bo], [inner], permissions);
    const other = organization.group([bo], [], permissions);
    const given = (can_audit_group: GroupSetting): void => {
      const data = { permissions: { can_audit_group }, previousPermissions: {} };
      organization.log.append('organization', [{ type: 'OrganizationPermissionsChanged', data }]);
    };
    const outcomes = (actorId: number, groupId: number): (string | null)[] =>
      [{ add: [actorId] }, { add: [ada, owner] }, { addSubgroups: [other] }, { remove: [bo] }].map(
        (changes) => refusal(() => change(organization, actorId, { groupId, ...changes })),
      );
    const no = 'insufficientPermission';
    for (const setting of [auditors, { direct_members: [owner], direct_subgroups: [auditors] }]) {
      given(setting);
      expect(outcomes(ada, auditors)).toEqual([no, no, no, null]);
      expect(outcomes(ada, inner)).toEqual([no, no, no, null]);
      expect(outcomes(ada, other).slice(0, 2)).toEqual([null, null]);
      expect(outcomes(owner, inner)).toEqual([null, null, null, null]);
    }
    const update = (actorId: number, changes: Partial<UserGroupChanges>): string | null =>
      refusal(() =>
        decideUpdateUserGroup(
          organization.groups,
          { groupId: inner, permissions: {}, ...changes },
          organization.actor(actorId),
        ),
      );
    const loose = { permissions: { can_join_group: { new: 3 } } };
    expect([update(ada, loose), update(owner, loose), update(ada, { name: 'inner circle' })]).toEqual([
      no,
      null,
      null,
    ]);
    organization.log.append<UserGroupEvent>(GROUPS_STREAM, [
      { type: 'UserGroupDeactivated', data: { groupId: inner } },
    ]);
    expect([update(ada, { isDeactivated: false }), update(owner, { isDeactivated: false })]).toEqual([
      no,
      null,
    ]);
  });

  it('lets only owners in where another change made the group one of auditors after the request came', () => {
    const organization = new TestOrganization();
    const [owner, ada, bo] = [
      organization.register({ role: 100 }),
      organization.register(),
      organization.register(),
    ];
    const own = { direct_members: [ada], direct_subgroups: [] };
    const permissions = { can_manage_group: own, can_join_group: own };
    const [inner, gone, other] = [1, 2, 3].map(() => organization.group([], [], permissions)) as [
      number,
      number,
      number,
    ];
    const auditors = organization.group([]);
    const data = { permissions: { can_audit_group: auditors }, previousPermissions: {} };
    organization.log.append('organization', [{ type: 'OrganizationPermissionsChanged', data }]);
    organization.log.append<UserGroupEvent>(GROUPS_STREAM, [
      { type: 'UserGroupDeactivated', data: { groupId: gone } },
    ]);
    const actors = [organization.actor(ada), organization.actor(owner)];
    organization.log.append<UserGroupEvent>(GROUPS_STREAM, [
      { type: 'UserGroupSubgroupsChanged', data: { groupId: auditors, added: [inner, gone], removed: [] } },
    ]);
    const none = { add: [], remove: [], addSubgroups: [], removeSubgroups: [] };
    const loose = { can_join_group: { new: 3 } };
    const outcomes = actors.map((actor) => [
      ...[{ add: [ada] }, { add: [bo] }, { addSubgroups: [other] }].map((some) =>
        refusal(() =>
          decideChangeGroupMembers(organization.groups, { groupId: inner, ...none, ...some }, actor),
        ),
      ),
      ...[
        { groupId: inner, permissions: loose },
        { groupId: gone, permissions: {}, isDeactivated: false },
      ].map((changes) => refusal(() => decideUpdateUserGroup(organization.groups, changes, actor))),
    ]);
    const no = 'insufficientPermission';
    expect(outcomes).toEqual([
      [no, no, no, no, no],
      [null, null, null, null, null],
    ]);
  });

  it('needs the permission to add, to remove, to join or to leave', () => {
    const organization = new TestOrganization();
    const [ada, bo] = [organization.register(), organization.register()];
    const only = { direct_members: [ada], direct_subgroups: [] };
    const adding = organization.group([bo], [], { can_add_members_group: only });
    const removing = organization.group([bo], [], { can_remove_members_group: only });
    const joining = organization.group([bo], [], { can_join_group: only });
    const leaving = organization.group([ada, bo], [], { can_leave_group: only });
    const cy = organization.register();
    const outcomes = (groupId: number): (string | null)[] => [
      refusal(() => change(organization, ada, { groupId, add: [cy] })),
      refusal(() => change(organization, ada, { groupId, remove: [bo] })),
    ];
    const no = 'insufficientPermission';
    expect(outcomes(adding)).toEqual([null, no]);
    expect(outcomes(removing)).toEqual([no, null]);
    expect(outcomes(joining)).toEqual([no, no]);
    expect(refusal(() => change(organization, ada, { groupId: joining, add: [ada] }))).toBeNull();
    expect(refusal(() => change(organization, ada, { groupId: leaving, remove: [ada] }))).toBeNull();
    expect(refusal(() => change(organization, bo, { groupId: leaving, remove: [bo] }))).toBe(no);
  });

  it('is all or nothing', () => {
    const organization = new TestOrganization();
    const [owner, ada, bo] = [
      organization.register({ role: 100 }),
      organization.register(),
      organization.register(),
    ];
    const groupId = organization.group([ada]);
    expect(refusal(() => change(organization, owner, { groupId, add: [bo, ada] }))).toBe(
      'alreadyInUserGroup',
    );
    expect(refusal(() => change(organization, owner, { groupId, remove: [ada, bo] }))).toBe('notInUserGroup');
    expect(refusal(() => change(organization, owner, { groupId, add: [99] }))).toBe('noSuchUser');
    expect(refusal(() => change(organization, owner, { groupId }))).toBe('nothingToDo');
    expect(refusal(() => change(organization, owner, { groupId: 99, add: [bo] }))).toBe('invalidUserGroup');
  });

  it('is nobody’s right in a system group', () => {
    const organization = new TestOrganization();
    const owner = organization.register({ role: 100 });
    expect(refusal(() => change(organization, owner, { groupId: 3, add: [owner] }))).toBe(
      'insufficientPermission',
    );
  });

  it('adds subgroups, but never a group to itself', () => {
    const organization = new TestOrganization();
    const owner = organization.register({ role: 100 });
    const [inner, outer] = [organization.group([owner]), organization.group([])];
    const events = change(organization, owner, { groupId: outer, addSubgroups: [inner, inner] });
    expect(events).toEqual([
      { type: 'UserGroupSubgroupsChanged', data: { groupId: outer, added: [inner], removed: [] } },
    ]);
    organization.log.append(GROUPS_STREAM, events);
    expect(organization.userGroup(outer).subgroupIds).toEqual([inner]);
    const refusalOf = (changes: Parameters<typeof change>[2]): string | null =>
      refusal(() => change(organization, owner, changes));
    expect(refusalOf({ groupId: inner, addSubgroups: [outer] })).toBe('subgroupCycle');
    expect(refusalOf({ groupId: inner, addSubgroups: [inner] })).toBe('subgroupCycle');
    expect(refusalOf({ groupId: outer, addSubgroups: [inner] })).toBe('alreadySubgroup');
    expect(refusalOf({ groupId: inner, removeSubgroups: [outer] })).toBe('notSubgroup');
    expect(refusalOf({ groupId: outer, addSubgroups: [99] })).toBe('invalidUserGroup');
    expect(refusalOf({ groupId: outer, removeSubgroups: [inner] })).toBeNull();
  });

  it('needs the permission to add or to remove also for groups', () => {
    const organization = new TestOrganization();
    const ada = organization.register();
    const only = { direct_members: [ada], direct_subgroups: [] };
    const adding = organization.group([], [6], { can_add_members_group: only });
    const removing = organization.group([], [6], { can_remove_members_group: only });
    const outcomes = (groupId: number): (string | null)[] => [
      refusal(() => change(organization, ada, { groupId, addSubgroups: [5] })),
      refusal(() => change(organization, ada, { groupId, removeSubgroups: [6] })),
    ];
    expect(outcomes(adding)).toEqual([null, 'insufficientPermission']);
    expect(outcomes(removing)).toEqual(['insufficientPermission', null]);
  });
});

describe('updating a user group', () => {
  const update = (
    organization: TestOrganization,
    actorId: number,
    changes: Partial<UserGroupChanges> & Pick<UserGroupChanges, 'groupId'>,
  ): readonly UserGroupEvent[] => {
    const by = { user: organization.user(actorId), snapshot: organization.snapshot() };
    const events = decideUpdateUserGroup(organization.groups, { permissions: {}, ...changes }, by);
    organization.log.append(GROUPS_STREAM, events);
    return events;
  };

  it('makes one event of each thing that really changes', () => {
    const organization = new TestOrganization();
    const owner = organization.register({ role: 100 });
    const groupId = organization.group([]);
    const changes = {
      groupId,
      name: ' Crew ',
      description: ' Who sails ',
      permissions: { can_join_group: { new: 3, old: 8 }, can_leave_group: { new: 8 } },
    };
    expect(update(organization, owner, changes)).toEqual([
      { type: 'UserGroupRenamed', data: { groupId, name: 'Crew', previousName: `group ${groupId}` } },
      {
        type: 'UserGroupDescriptionChanged',
        data: { groupId, description: 'Who sails', previousDescription: '' },
      },
      {
        type: 'UserGroupPermissionsChanged',
        data: { groupId, permissions: { can_join_group: 3 }, previousPermissions: { can_join_group: 8 } },
      },
    ]);
    expect(organization.userGroup(groupId)).toMatchObject({
      name: 'Crew',
      description: 'Who sails',
      permissions: { can_join_group: 3, can_leave_group: 8 },
    });
    expect(update(organization, owner, { groupId, name: 'Crew', description: 'Who sails' })).toEqual([]);
  });

  it('frees the name that it had', () => {
    const organization = new TestOrganization();
    const owner = organization.register({ role: 100 });
    const [first, second] = [organization.group([]), organization.group([])];
    const { name } = organization.userGroup(first);
    const take = (): unknown => update(organization, owner, { groupId: second, name: name.toUpperCase() });
    expect(refusal(take)).toBe('userGroupNameTaken');
    update(organization, owner, { groupId: first, name: 'other' });
    expect(refusal(take)).toBeNull();
    update(organization, owner, { groupId: first, name: 'OTHER' });
    expect(organization.userGroup(first).name).toBe('OTHER');
  });

  it('is for those who manage it or all groups', () => {
    const organization = new TestOrganization();
    const roles = [100, 200, 300, 400, 600] as const;
    const people = roles.map((role) => organization.register({ role }));
    const groupId = organization.group(people);
    const refusals = people.map((id) =>
      refusal(() => update(organization, id, { groupId, name: `by ${id}` })),
    );
    const no = 'insufficientPermission';
    expect(refusals).toEqual([null, no, no, no, no]);
    const managers = { direct_members: people.slice(3), direct_subgroups: [] };
    const managed = organization.group([], [], { can_manage_group: managers });
    expect(
      people.map((id) => refusal(() => update(organization, id, { groupId: managed, name: `now by ${id}` }))),
    ).toEqual([null, no, no, null, no]);
  });

  it.each([
    ['noNewData', {}],
    ['invalidUserGroup', { groupId: 99, name: 'x' }],
    ['insufficientPermission', { groupId: 3, name: 'x' }],
    ['userGroupNameEmpty', { name: ' ' }],
    ['userGroupNameTaken', { name: 'ROLE:members' }],
    ['expectationMismatch', { permissions: { can_join_group: { new: 3, old: 2 } } }],
    ['groupNotAllowed', { permissions: { can_manage_group: { new: 2 } } }],
    ['invalidGroupSetting', { permissions: { can_manage_group: { new: 99 } } }],
  ])('is refused as %s: %j', (row, changes) => {
    const organization = new TestOrganization();
    const owner = organization.register({ role: 100 });
    const groupId = organization.group([]);
    expect(refusal(() => update(organization, owner, { groupId, ...changes }))).toBe(row);
  });

  it('deactivates it and makes it active again; meanwhile it changes as before', () => {
    const organization = new TestOrganization();
    const owner = organization.register({ role: 100 });
    const groupId = organization.group([owner]);
    expect(update(organization, owner, { groupId, isDeactivated: true })).toEqual([
      { type: 'UserGroupDeactivated', data: { groupId } },
    ]);
    expect(update(organization, owner, { groupId, description: 'y' })).toHaveLength(1);
    expect(update(organization, owner, { groupId, name: 'past', isDeactivated: true })).toHaveLength(1);
    expect(update(organization, owner, { groupId, isDeactivated: false, description: 'x' })).toEqual([
      { type: 'UserGroupReactivated', data: { groupId } },
      { type: 'UserGroupDescriptionChanged', data: { groupId, description: 'x', previousDescription: 'y' } },
    ]);
  });

  it('does not deactivate what something active hangs on', () => {
    const organization = new TestOrganization(
      {},
      { can_create_groups: { direct_members: [], direct_subgroups: [9] } },
    );
    const owner = organization.register({ role: 100 });
    const groupId = organization.group([owner]);
    const above = organization.group([], [groupId]);
    const other = organization.group([], [], { can_join_group: groupId });
    const permissions = { ...ordinaryChannel.permissions, can_send_message_group: groupId };
    const channelId = createChannel(organization, [], { permissions });
    try {
      update(organization, owner, { groupId, isDeactivated: true });
      throw new Error('It was deactivated');
    } catch (error) {
      expect(error).toMatchObject({
        code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
        fields: {
          objections: [
            { type: 'subgroup', supergroup_ids: [above] },
            { type: 'realm', settings: ['can_create_groups'] },
            { type: 'channel', channel_id: channelId, settings: ['can_send_message_group'] },
            { type: 'user_group', group_id: other, settings: ['can_join_group'] },
          ],
        },
      });
    }
  });

  it('does not name channels that the person may not know of, but is not deactivated because of them', () => {
    const organization = new TestOrganization();
    const owner = organization.register({ role: 100 });
    const manager = organization.register({ role: 400 });
    const managers = { direct_members: [manager], direct_subgroups: [] };
    const groupId = organization.group([], [], { can_manage_group: managers });
    const permissions = { ...ordinaryChannel.permissions, can_subscribe_group: groupId };
    const privacy = { inviteOnly: true, historyPublicToSubscribers: true, isWebPublic: false };
    const channelId = createChannel(organization, [], { permissions, privacy });
    const objectionsFor = (id: number): unknown => {
      try {
        return update(organization, id, { groupId, isDeactivated: true });
      } catch (error) {
        return (error as { fields: object }).fields;
      }
    };
    expect(objectionsFor(manager)).toEqual({ objections: [] });
    expect(objectionsFor(owner)).toEqual({
      objections: [{ type: 'channel', channel_id: channelId, settings: ['can_subscribe_group'] }],
    });
  });
});
