import { describe, expect, it, jest } from '@jest/globals';
import {
  directMembersOf,
  groupsAround,
  includes,
  isKnownSetting,
  membersOf,
} from '../../src/access/membership.js';
import { systemGroupIds } from '../../src/events/values/organization-defaults.js';
import { atTheTime } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const { owners, administrators, moderators, fullMembers, members, everyone, internet, nobody } =
  systemGroupIds;
const narrowestFirst = [owners, administrators, moderators, fullMembers, members, everyone, internet];
const DAY = 86_400_000;

describe('membership of system groups', () => {
  it.each([
    ['an owner', 100, owners],
    ['an administrator', 200, administrators],
    ['a moderator', 300, moderators],
    ['a member', 400, fullMembers],
    ['a guest', 600, everyone],
  ] as const)('puts %s into the group of the role and all wider ones', (_who, role, narrowest) => {
    const organization = new TestOrganization();
    const user = organization.user(organization.register({ role }));
    const groups = narrowestFirst.filter((group) => includes(organization.snapshot(), group, user));
    expect(groups).toEqual(narrowestFirst.slice(narrowestFirst.indexOf(narrowest)));
    expect(includes(organization.snapshot(), nobody, user)).toBe(false);
  });

  it('makes a member full once the account is as old as the waiting period', () => {
    const organization = new TestOrganization({ waiting_period_threshold: 3 });
    const user = organization.user(organization.register());
    const isFull = (now: number): boolean => includes(organization.snapshot(now), fullMembers, user);
    expect(isFull(atTheTime + 3 * DAY - 1)).toBe(false);
    expect(isFull(atTheTime + 3 * DAY)).toBe(true);
  });

  it('lets moderators and above be full members from the first day', () => {
    const organization = new TestOrganization({ waiting_period_threshold: 3 });
    const user = organization.user(organization.register({ role: 300 }));
    expect(includes(organization.snapshot(), fullMembers, user)).toBe(true);
  });

  it('counts the waiting period from the first log-in of a person whom others registered', () => {
    const organization = new TestOrganization({ waiting_period_threshold: 1 });
    const userId = organization.register({ awaitsFirstLogin: true });
    organization.log.append('users', [{ type: 'UserFirstLoggedIn', data: { userId } }], {
      at: atTheTime + 5 * DAY,
    });
    expect(includes(organization.snapshot(atTheTime + 5 * DAY), fullMembers, organization.user(userId))).toBe(
      false,
    );
    expect(includes(organization.snapshot(atTheTime + 6 * DAY), fullMembers, organization.user(userId))).toBe(
      true,
    );
  });

  it('counts a bot by its role', () => {
    const organization = new TestOrganization();
    const bot = organization.user(organization.register({ bot: { type: 1, ownerId: 1, isSystem: false } }));
    expect(includes(organization.snapshot(), members, bot)).toBe(true);
  });

  it('leaves out deactivated accounts and the server’s own bots', () => {
    const organization = new TestOrganization();
    const gone = organization.register({ role: 100 });
    const systemBot = organization.register({ bot: { type: 1, ownerId: null, isSystem: true } });
    organization.happened({ type: 'UserDeactivated', data: { userId: gone } });
    expect(includes(organization.snapshot(), everyone, organization.user(gone))).toBe(false);
    expect(includes(organization.snapshot(), everyone, organization.user(systemBot))).toBe(false);
    expect(membersOf(organization.snapshot(), everyone)).toEqual([]);
  });

  it('lists people where their role puts them, and full members twice', () => {
    const organization = new TestOrganization();
    const [owner, member, guest] = ([100, 400, 600] as const).map((role) => organization.register({ role }));
    const listed = (id: number): number[] =>
      directMembersOf(organization.snapshot(), organization.userGroup(id));
    expect(listed(owners)).toEqual([owner]);
    expect(listed(administrators)).toEqual([]);
    expect(listed(fullMembers)).toEqual([member]);
    expect(listed(members)).toEqual([member]);
    expect(listed(everyone)).toEqual([guest]);
    expect(listed(internet)).toEqual([]);
  });
});

describe('membership of user groups', () => {
  it('reaches through nested groups', () => {
    const organization = new TestOrganization();
    const [ada, bo] = [organization.register(), organization.register()];
    const inner = organization.group([bo]);
    const outer = organization.group([ada], [organization.group([], [inner])]);
    expect(membersOf(organization.snapshot(), outer)).toEqual([ada, bo]);
    expect(directMembersOf(organization.snapshot(), organization.userGroup(outer))).toEqual([ada]);
  });

  it('reaches system groups through a group that holds them', () => {
    const organization = new TestOrganization();
    const owner = organization.register({ role: 100 });
    organization.register();
    const group = organization.group([], [administrators]);
    expect(membersOf(organization.snapshot(), group)).toEqual([owner]);
  });

  it('ends on groups that hold each other', () => {
    const organization = new TestOrganization();
    const ada = organization.register();
    const first = organization.groups.nextRevision + 1;
    organization.group([], [first + 1]);
    organization.group([ada], [first]);
    expect(membersOf(organization.snapshot(), first)).toEqual([ada]);
    expect(includes(organization.snapshot(), first, organization.user(organization.register()))).toBe(false);
  });

  it('reaches through many groups, but not through deactivated ones', () => {
    const organization = new TestOrganization();
    const [ada, bo, owner] = [400, 400, 100].map((role) =>
      organization.register({ role: role as 400 | 100 }),
    );
    const ends = organization.group([ada!], [administrators]);
    const middle = Array.from({ length: 40 }, (_, index) =>
      organization.group([], index === 39 ? [ends] : []),
    );
    const top = organization.group([bo!], middle);
    const inTop = () =>
      [ada!, bo!, owner!].filter((id) => includes(organization.snapshot(), top, organization.user(id)));
    expect(inTop()).toEqual([ada, bo, owner]);
    expect(groupsAround(organization.snapshot(), ends)).toEqual(new Set([ends, middle[39], top]));
    organization.log.append('groups', [{ type: 'UserGroupDeactivated', data: { groupId: middle[39]! } }]);
    expect(inTop()).toEqual([bo]);
    expect(groupsAround(organization.snapshot(), ends)).toEqual(new Set([ends]));
  });

  it('follows a full member through many groups from the day on which they are one', () => {
    const organization = new TestOrganization({ waiting_period_threshold: 3 });
    const user = organization.user(organization.register());
    const subgroups = Array.from({ length: 40 }, () => organization.group([]));
    const top = organization.group([], [...subgroups, fullMembers]);
    const { directory } = organization.snapshot();
    const isIn = (now: number): boolean => includes({ directory, now }, top, user);
    expect([atTheTime + 3 * DAY - 1, atTheTime + 3 * DAY, atTheTime].map(isIn)).toEqual([false, true, false]);
  });

  it('forgets what it knows of groups when one changes', () => {
    const organization = new TestOrganization();
    const user = organization.user(organization.register());
    const inner = organization.group([]);
    const outer = organization.group([], [inner]);
    const { directory, now } = organization.snapshot();
    expect(includes({ directory, now }, outer, user)).toBe(false);
    const data = { groupId: inner, added: [user.id], removed: [] };
    const [event] = organization.log.append('groups', [{ type: 'UserGroupMembersChanged', data }]);
    directory.apply(event as never);
    expect(includes({ directory, now }, outer, user)).toBe(true);
  });

  it('looks at each group once for an account, however many permissions depend on the groups', () => {
    const organization = new TestOrganization();
    const [ada, bo] = [organization.register(), organization.register()];
    const groupIds = [organization.group([bo])];
    for (let count = 0; count < 200; count += 1) groupIds.push(organization.group([], groupIds));
    const snapshot = organization.snapshot();
    const group = jest.spyOn(snapshot.directory, 'group');
    const groups = jest.spyOn(snapshot.directory, 'groups');
    for (const id of groupIds) {
      expect(includes(snapshot, id, organization.user(ada))).toBe(false);
    }
    expect(includes(snapshot, groupIds.at(-1)!, organization.user(bo))).toBe(true);
    expect(group).not.toHaveBeenCalled();
    expect(groups).toHaveBeenCalledTimes(1);
  });

  it('leaves out deactivated members', () => {
    const organization = new TestOrganization();
    const ada = organization.register();
    const group = organization.group([ada]);
    organization.happened({ type: 'UserDeactivated', data: { userId: ada } });
    expect(membersOf(organization.snapshot(), group)).toEqual([]);
  });

  it('is listed without a look at everybody', () => {
    const organization = new TestOrganization();
    const [ada, bo] = [organization.register(), organization.register()];
    const inner = organization.group([bo]);
    const outer = organization.userGroup(organization.group([bo, ada], [inner]));
    const snapshot = organization.snapshot();
    const users = jest.spyOn(snapshot.directory, 'users');
    expect(directMembersOf(snapshot, outer)).toEqual([ada, bo]);
    expect(membersOf(snapshot, outer.id)).toEqual([ada, bo]);
    expect(users).not.toHaveBeenCalled();
  });

  it('is empty for a group that does not exist', () => {
    const organization = new TestOrganization();
    organization.register();
    expect(membersOf(organization.snapshot(), 99)).toEqual([]);
  });
});

describe('a group-setting value', () => {
  it('names people directly and through groups', () => {
    const organization = new TestOrganization();
    const [ada, bo, cy] = [organization.register(), organization.register(), organization.register()];
    const setting = { direct_members: [ada], direct_subgroups: [organization.group([bo])] };
    const named = [ada, bo, cy].map((id) =>
      includes(organization.snapshot(), setting, organization.user(id)),
    );
    expect(named).toEqual([true, true, false]);
    expect(membersOf(organization.snapshot(), setting)).toEqual([ada, bo]);
  });

  it('is known only when everyone in it exists and is active', () => {
    const organization = new TestOrganization();
    const ada = organization.register();
    const gone = organization.register();
    const systemBot = organization.register({ bot: { type: 1, ownerId: null, isSystem: true } });
    organization.happened({ type: 'UserDeactivated', data: { userId: gone } });
    const known = (members: number[], groups: number[] = []): boolean =>
      isKnownSetting(organization.snapshot(), { direct_members: members, direct_subgroups: groups });
    expect(known([ada], [everyone])).toBe(true);
    expect(known([gone])).toBe(false);
    expect(known([systemBot])).toBe(false);
    expect(known([99])).toBe(false);
    expect(known([ada], [99])).toBe(false);
  });
});
