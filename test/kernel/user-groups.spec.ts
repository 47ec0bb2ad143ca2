import { describe, expect, it } from '@jest/globals';
import { decideChangeGroupMembers } from '../../src/users/commands/change-group-members.js';
import { decideCreateUserGroup, type NewUserGroup } from '../../src/users/commands/create-user-group.js';
import type { UserGroupEvent } from '../../src/users/events.js';
import { refusal } from '../support/given.js';
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
  const by = { actor: organization.user(actorId), moment: organization.moment() };
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
    changes: { readonly groupId: number; readonly add?: number[]; readonly remove?: number[] },
  ): readonly UserGroupEvent[] => {
    const by = { actor: organization.user(actorId), moment: organization.moment() };
    return decideChangeGroupMembers(organization.groups, { add: [], remove: [], ...changes }, by);
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
});
