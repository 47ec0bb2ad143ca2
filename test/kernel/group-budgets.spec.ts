import { expect, it } from '@jest/globals';
import { permissionValue } from '../../src/access/permission-value.js';
import { evolveUserGroup, type UserGroup } from '../../src/access/records/user-group.js';
import { decideChangeGroupMembers } from '../../src/contexts/users/group-members.decide.js';
import {
  decideCreateUserGroup,
  decideUpdateUserGroup,
  type NewUserGroup,
} from '../../src/contexts/users/user-groups.decide.js';
import { anyGroup } from '../../src/events/values/group-rule.js';
import { budgets } from '../../src/kernel/budgets.js';
import { PersistentMap } from '../../src/kernel/persistent-map.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const organization = new TestOrganization();
const owner = organization.register({ role: 100 });
const person = organization.register();
const [first, group] = [organization.group([]), organization.group([])];
const by = { user: organization.user(owner), snapshot: organization.snapshot() };
const some = organization.userGroup(first);
const none = { groupId: group, add: [], remove: [], addSubgroups: [], removeSubgroups: [] };
const another: NewUserGroup = {
  name: 'another',
  description: '',
  memberIds: [],
  subgroupIds: [],
  permissions: {},
};

/** So many ids that nothing has. */
function ids(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => 5_000_000 + index);
}

/** The groups of the organization: `first` is empty, `group` is as given, and there are others. */
function having(own: Partial<UserGroup>, others: readonly Partial<UserGroup>[] = []) {
  return {
    ...organization.groups,
    groups: PersistentMap.from([
      [first, some],
      [group, { ...some, id: group, ...own }],
      ...others.map((other, index): [number, UserGroup] => [1_000_000 + index, { ...some, ...other }]),
    ]),
  };
}

type State = ReturnType<typeof having>;

/** Groups that have as many ids together as all groups may have. */
function full(budget: 'membersOfGroup' | 'subgroupsOfGroup', all: 'groupMembers' | 'subgroups') {
  const list = ids(budgets[budget].max);
  const name = budget === 'membersOfGroup' ? 'memberIds' : 'subgroupIds';
  return Array.from({ length: budgets[all].max / list.length }, () => ({ [name]: list }));
}

it('The subgroups of one group, and of all groups together, have a maximum number', () => {
  const add = (state: State) => decideChangeGroupMembers(state, { ...none, addSubgroups: [first] }, by);
  const create = (state: State) => decideCreateUserGroup(state, { ...another, subgroupIds: [first] }, by);
  const { max } = budgets.subgroupsOfGroup;
  expect(add(having({ subgroupIds: ids(max - 1) }))).toHaveLength(1);
  expect(refusal(() => add(having({ subgroupIds: ids(max) })))).toBe('tooManySubgroups');
  const all = full('subgroupsOfGroup', 'subgroups');
  const room = having({}, [...all.slice(1), { subgroupIds: ids(max - 1) }]);
  expect(budgets.subgroups.max % max).toBe(0);
  expect([add(room), create(room)]).toEqual([expect.any(Array), expect.any(Array)]);
  expect(refusal(() => add(having({}, all)))).toBe('tooManySubgroups');
  expect(refusal(() => create(having({}, all)))).toBe('tooManySubgroups');
});

it('The members of one group, and of all groups together, have a maximum number', () => {
  const add = (state: State) => decideChangeGroupMembers(state, { ...none, add: [person] }, by);
  const create = (state: State) => decideCreateUserGroup(state, { ...another, memberIds: [person] }, by);
  const { max } = budgets.membersOfGroup;
  expect(add(having({ memberIds: ids(max - 1) }))).toHaveLength(1);
  expect(refusal(() => add(having({ memberIds: ids(max) })))).toBe('tooManyGroupMembers');
  const crowded = having({ memberIds: ids(max) });
  const swap = { ...none, add: [person], remove: ids(1) };
  expect(decideChangeGroupMembers(crowded, swap, by)).toHaveLength(1);
  const all = full('membersOfGroup', 'groupMembers');
  // Two permissions of the new group name its creator.
  const room = having({}, [...all.slice(1), { memberIds: ids(max - 3) }]);
  expect(budgets.groupMembers.max % max).toBe(0);
  expect([add(room), create(room)]).toEqual([expect.any(Array), expect.any(Array)]);
  expect(refusal(() => add(having({}, all)))).toBe('tooManyGroupMembers');
  const tight = having({}, [...all.slice(1), { memberIds: ids(max - 2) }]);
  expect(refusal(() => create(tight))).toBe('tooManyGroupMembers');
  const value = { direct_members: [owner, person], direct_subgroups: [first] };
  const update = (state: State) =>
    decideUpdateUserGroup(state, { groupId: group, permissions: { can_mention_group: { new: value } } }, by);
  expect(update(room)).toHaveLength(1);
  expect(refusal(() => update(tight))).toBe('tooManyGroupMembers');
});

it('A permission names a maximum number of people and groups', () => {
  const value = (count: number) =>
    permissionValue(
      by.snapshot,
      {
        name: 'can_mention_group',
        rule: anyGroup(2),
        before: { direct_members: [...ids(count)], direct_subgroups: [] },
      },
      { direct_members: [...ids(count - 1)], direct_subgroups: [first] },
    );
  const { max } = budgets.namedInPermission;
  expect(value(max)).toMatchObject({ direct_subgroups: [first] });
  expect(refusal(() => value(max + 1))).toBe('permissionTooLong');
});

it('The value of a permission that names more becomes smaller in steps', () => {
  const { max } = budgets.namedInPermission;
  const before = { direct_members: [...ids(max + 5)], direct_subgroups: [] };
  const replace = (count: number) =>
    permissionValue(
      by.snapshot,
      { name: 'can_mention_group', rule: anyGroup(2), before },
      { direct_members: [...ids(count)], direct_subgroups: [first] },
    );
  expect(replace(max + 3)).toMatchObject({ direct_subgroups: [first] });
  expect(refusal(() => replace(max + 5))).toBe('permissionTooLong');
});

it('Adding many members to many compares each with the others once', () => {
  let looks = 0;
  const counted = new Proxy([...ids(2_000)], {
    get(list, key, receiver) {
      looks += 1;
      return Reflect.get(list, key, receiver) as unknown;
    },
  });
  const added = Array.from({ length: 2_000 }, (_, index) => index + 1);
  const event = {
    type: 'UserGroupMembersChanged' as const,
    data: { groupId: group, added: counted, removed: [] },
  };
  const after = evolveUserGroup({ ...some, memberIds: added }, event as never);
  expect(after?.memberIds).toHaveLength(4_000);
  expect(looks).toBeLessThan(100_000);
});
