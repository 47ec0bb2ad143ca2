import { describe, expect, it } from '@jest/globals';
import { addressesIn } from '../../src/contexts/invitations/address-rules.js';
import {
  decideCreateLink,
  decideSendInvitations,
  planInvitees,
  decideResendInvitation,
  decideRevokeInvitation,
} from '../../src/contexts/invitations/invitations.decide.js';
import {
  decideJoin,
  decideRequestSignUp,
  decideAccepted,
  decidePromisedGroups,
} from '../../src/contexts/invitations/joining.decide.js';
import type { InvitationEvent } from '../../src/events/invitations.js';
import {
  invitationsFold,
  INVITATIONS_STREAM,
  type Invitations,
} from '../../src/contexts/invitations/invitations.state.js';
import {
  assertMayInvite,
  assertMayInviteAs,
  promisedStill,
  welcomeTextOf,
} from '../../src/contexts/invitations/inviting.decide.js';
import { canBeUsed } from '../../src/contexts/invitations/open-invitation.decide.js';
import { budgets } from '../../src/kernel/budgets.js';
import { expiryOf, InvitationPolicy } from '../../src/contexts/invitations/validity.js';
import { roles } from '../../src/access/records/roles.js';
import { atTheTime, refusal, TestLog } from '../support/given.js';
import { systemGroupIds } from '../../src/events/values/organization-defaults.js';
import { TestOrganization } from '../support/organization.js';
import { bo, created, gil, given, gone, privatePrivacy, subscribed, unsubscribed } from './channels-world.js';

const now = atTheTime;
const seconds = now / 1000;
const day = 86_400_000;
const terms = { role: 400, channelIds: [], groupIds: [], includeDefaultChannels: false } as const;

const organization = new TestOrganization();
const owner = organization.register({ role: roles.owner });
const admin = organization.register({ role: roles.administrator });
const moderator = organization.register({ role: roles.moderator });
const member = organization.register();
const guest = organization.register({ role: roles.guest });
const bot = organization.register({ bot: { type: 1, ownerId: member, isSystem: false } });
const snapshot = organization.snapshot();
const user = (id: number): ReturnType<TestOrganization['user']> => organization.user(id);

type SentData = Extract<InvitationEvent, { type: 'InvitationSent' }>['data'];

function invitationFor(name: string, changes: Partial<SentData> = {}): Omit<SentData, 'invitationId'> {
  return {
    email: `${name}@example.com`,
    emailDigest: `digest of ${name}@example.com`,
    inviterId: member,
    linkId: null,
    terms: { ...terms, channelIds: [], groupIds: [] },
    welcomeText: null,
    expiresAt: seconds + 600,
    notifyInviter: true,
    ...changes,
  };
}

function after(...events: readonly InvitationEvent[]): Invitations {
  const log = new TestLog();
  log.append(INVITATIONS_STREAM, events);
  return log.fold<Invitations, InvitationEvent>(invitationsFold, INVITATIONS_STREAM);
}

const send = (...names: string[]): readonly InvitationEvent[] =>
  decideSendInvitations(
    after(),
    names.map((name) => invitationFor(name)),
    { now, perDay: 0 },
  );

describe('a list of addresses', () => {
  it.each([
    ['a@example.com, b@example.com\nc@example.com', ['a@example.com', 'b@example.com', 'c@example.com']],
    ['Ada <a@example.com>,, \r\n "B, not" <b@example.com>', ['a@example.com', '"B', 'b@example.com']],
    ['A@example.com, a@EXAMPLE.com', ['A@example.com']],
    [' \n,', []],
  ])('%j holds %j', (list, addresses) => {
    expect(addressesIn(list)).toEqual(addresses);
  });
});

describe('inviting', () => {
  it('is for people whom the organization lets, and for no guest or bot', () => {
    const asking = (id: number): string | null =>
      refusal(() => assertMayInvite({ snapshot, user: user(id) }, 'can_invite_users_group'));
    expect([member, guest, bot].map(asking)).toEqual([null, 'guestsNotAllowed', 'botsNotAllowed']);
    const linking = (id: number): string | null =>
      refusal(() => assertMayInvite({ snapshot, user: user(id) }, 'create_multiuse_invite_group'));
    expect([admin, member].map(linking)).toEqual([null, 'insufficientPermission']);
  });

  it.each([
    [100, [null, 'ownerRequired', 'ownerRequired', 'ownerRequired']],
    [200, [null, null, 'administratorRequired', 'administratorRequired']],
    [300, [null, null, null, 'administratorRequired']],
    [400, [null, null, null, null]],
    [600, [null, null, null, null]],
  ] as const)('as %d is for owners, administrators, moderators and members: %j', (role, expected) => {
    const asked = [owner, admin, moderator, member];
    expect(asked.map((id) => refusal(() => assertMayInviteAs(user(id), role)))).toEqual(expected);
  });

  it('brings a welcome text only of administrators, of 8000 code points at most', () => {
    expect(welcomeTextOf(user(member), 'Hi')).toBeNull();
    expect(welcomeTextOf(user(admin), ' Hi ')).toBe('Hi');
    expect(welcomeTextOf(user(admin), '')).toBe('');
    expect(welcomeTextOf(user(admin), '👋'.repeat(8000))).toHaveLength(16_000);
    for (const id of [admin, member]) {
      expect(refusal(() => welcomeTextOf(user(id), 'x'.repeat(8001)))).toBe('welcomeTextTooLong');
    }
  });

  it('ends after the time that was asked for, after the server’s own, or never', () => {
    const policy = new InvitationPolicy(14_400, 0);
    expect(expiryOf(null, policy, now)).toBeNull();
    expect(expiryOf(undefined, policy, now)).toBe(seconds + 864_000);
    expect(expiryOf(5, policy, now)).toBe(seconds + 300);
    expect(refusal(() => expiryOf(0, policy, now))).toBe('invalidValidity');
    expect(refusal(() => expiryOf(2 ** 40, policy, now))).toBe('invalidValidity');
  });

  it('skips addresses with an account, and fails as a whole if one is not an e-mail address', () => {
    const candidate = (email: string): { email: string; emailDigest: string } => ({
      email,
      emailDigest: `digest of ${email}`,
    });
    const known = candidate(`person${member}@example.com`);
    const fresh = candidate('new@example.com');
    const inviting = { snapshot, user: user(owner) };
    expect(planInvitees(inviting, [known, fresh])).toEqual({
      invitees: [fresh],
      refused: [[known.email, expect.any(String), false]],
    });
    expect(refusal(() => planInvitees(inviting, [known]))).toBe('invitationFailed');
    expect(refusal(() => planInvitees(inviting, [fresh, candidate('nobody')]))).toBe('invitationFailed');
    expect(refusal(() => planInvitees(inviting, []))).toBe('noAddresses');
  });

  it('numbers invitations consecutively', () => {
    expect(send('a', 'b').map(({ data }) => data.invitationId)).toEqual([1, 2]);
  });

  it('sends a maximum number of e-mails a day', () => {
    const state = after(...send('a', 'b'));
    const more = (at: number): string | null =>
      refusal(() => decideSendInvitations(state, [invitationFor('c')], { now: at, perDay: 2 }));
    expect(more(now)).toBe('invitationFailed');
    expect(more(now + day)).toBeNull();
  });
});

describe('an invitation', () => {
  const open = after(...send('a', 'a', 'b'));

  it('is revoked by its inviter and by administrators, one that makes an owner by owners, and once', () => {
    const name = { invitationId: 1, kind: 'invitation' } as const;
    const revoking = (id: number, state = open): string | null =>
      refusal(() => decideRevokeInvitation(state, name, user(id)));
    expect([member, moderator, admin].map((id) => revoking(id))).toEqual([
      null,
      'administratorRequired',
      null,
    ]);
    const makesOwner = invitationFor('o', {
      inviterId: owner,
      terms: { ...terms, role: 100, channelIds: [], groupIds: [] },
    });
    const toOwner = after(...decideSendInvitations(after(), [makesOwner], { now, perDay: 0 }));
    expect([admin, owner].map((id) => revoking(id, toOwner))).toEqual(['ownerRequired', null]);
    const revoked = after(...send('a'), ...decideRevokeInvitation(open, name, user(member)));
    expect(revoking(member, revoked)).toBe('noSuchInvitation');
    expect(refusal(() => decideRevokeInvitation(open, { ...name, kind: 'link' }, user(admin)))).toBe(
      'noSuchInvitation',
    );
  });

  it('is sent again for as long as it was valid at first', () => {
    const again = (userId: number, perDay = 0) =>
      decideResendInvitation(
        open,
        { invitationId: 1, perDay },
        { user: user(userId), snapshot: organization.snapshot(now + day) },
      );
    expect(again(member)).toEqual([
      {
        type: 'InvitationRenewed',
        data: { invitationId: 1, inviterId: member, expiresAt: seconds + 86_400 + 600 },
      },
    ]);
    const today = { user: user(member), snapshot };
    expect(refusal(() => decideResendInvitation(open, { invitationId: 1, perDay: 3 }, today))).toBe(
      'tooManyInvitations',
    );
    expect(refusal(() => again(moderator))).toBe('administratorRequired');
  });

  it('is not sent again by somebody who may no longer invite', () => {
    const closed = new TestOrganization({}, { can_invite_users_group: systemGroupIds.moderators });
    for (const role of [roles.owner, roles.administrator, roles.moderator, roles.member])
      closed.register({ role });
    const again = (userId: number) =>
      refusal(() => decideResendInvitation(open, { invitationId: 1, perDay: 0 }, closed.actor(userId)));
    expect([member, admin].map(again)).toEqual(['insufficientPermission', null]);
  });

  it('gives only the groups that its inviter may still give', () => {
    const groups = new TestOrganization();
    const [inviter, other] = [groups.register(), groups.register()];
    const own = groups.group([], [], {
      can_manage_group: { direct_members: [inviter], direct_subgroups: [] },
    });
    const foreign = groups.group([], [], {
      can_manage_group: { direct_members: [other], direct_subgroups: [] },
    });
    const promised = { channelIds: [], groupIds: [own, foreign, 999] };
    const still = (inviterId: number | null) =>
      promisedStill(groups.snapshot(), inviterId, promised).groupIds;
    expect(still(inviter)).toEqual([own]);
    expect(still(null)).toEqual(promised.groupIds);
    groups.happened({ type: 'UserDeactivated', data: { userId: inviter } });
    expect(still(inviter)).toEqual([]);
  });

  it('gives only the channels that its inviter may still give, and the default ones', () => {
    const channels = [created(1, { privacy: privatePrivacy }), created(2, { isDefault: true }), created(3)];
    const promised = { channelIds: [1, 2, 3, 999], groupIds: [] };
    const still = (inviterId: number, ...events: Parameters<typeof given>[0]) =>
      promisedStill(given([...channels, ...events]).snapshot, inviterId, promised).channelIds;
    expect(still(bo.id, subscribed(1, [bo.id]))).toEqual([1, 2, 3]);
    expect(still(bo.id, subscribed(1, [bo.id]), unsubscribed(1, [bo.id]))).toEqual([2, 3]);
    expect(still(gil.id)).toEqual([2]);
    expect(still(gone.id)).toEqual([2]);
  });

  it('voids the others to its address when it is accepted, once', () => {
    const accepted = decideAccepted(open, { invitationId: 1, userId: 9 });
    expect(accepted).toEqual([
      {
        type: 'InvitationAccepted',
        data: { invitationId: 1, inviterId: member, userId: 9, voidedIds: [2] },
      },
    ]);
    const state = after(...send('a', 'a', 'b'), ...accepted);
    expect(decideAccepted(state, { invitationId: 1, userId: 9 })).toEqual([]);
    const usable = [1, 2, 3].map((id) => canBeUsed(state.byId.get(id)!, state, snapshot));
    expect(usable).toEqual([false, false, true]);
  });

  it('can be used until its time, and as long as its inviter is active', () => {
    const invitation = open.byId.get(1)!;
    const at = (time: number): boolean => canBeUsed(invitation, open, { ...snapshot, now: time });
    expect([at(now + 599_999), at(now + 600_000)]).toEqual([true, false]);
    const left = new TestOrganization();
    for (const _id of [owner, admin, moderator]) left.register();
    expect(left.register()).toBe(member);
    left.happened({ type: 'UserDeactivated', data: { userId: member } });
    expect(canBeUsed(invitation, open, left.snapshot())).toBe(false);
  });

  it('claims an address that no account has', () => {
    const newcomer = {
      email: 'n@example.com',
      emailDigest: 'digest of n',
      fullName: 'New',
      role: 400,
    } as const;
    const [registered] = decideJoin(organization.users, newcomer, organization.snapshot());
    expect(registered).toMatchObject({
      type: 'UserRegistered',
      data: { bot: null, awaitsFirstLogin: false },
    });
    const taken = { ...newcomer, emailDigest: user(member).emailDigest };
    expect(refusal(() => decideJoin(organization.users, taken, organization.snapshot()))).toBe('emailTaken');
  });

  it('claims a name that nobody active has, if the organization requires that', () => {
    const [free, unique] = [new TestOrganization(), new TestOrganization({ require_unique_names: true })];
    for (const one of [free, unique]) one.register({ fullName: 'Ada Lovelace' });
    const newcomer = {
      email: 'n@example.com',
      emailDigest: 'digest of n',
      fullName: 'ada LOVELACE',
      role: 400,
    } as const;
    const join = (to: TestOrganization): string | null =>
      refusal(() => decideJoin(to.users, newcomer, to.snapshot()));
    expect([join(free), join(unique)]).toEqual([null, 'nameTaken']);
    unique.happened({ type: 'UserDeactivated', data: { userId: 1 } });
    expect(join(unique)).toBeNull();
  });

  it('promises groups that are still there', () => {
    const groupId = organization.group([member]);
    const promised = (userId: number, groupIds: number[]): unknown[] =>
      decidePromisedGroups(organization.groups, { groupIds, userId }).map(({ data }) => data);
    expect(promised(guest, [groupId, 999])).toEqual([{ groupId, added: [guest], removed: [] }]);
    expect(promised(member, [groupId])).toEqual([]);
  });
});

describe('a reusable link', () => {
  const linkFor = (inviterId: number, expiresAt: number | null = null) => ({
    inviterId,
    terms: { ...terms, channelIds: [], groupIds: [] },
    welcomeText: null,
    expiresAt,
  });
  const link = decideCreateLink(after(), linkFor(admin), now);
  const asked = (name: string): Omit<SentData, 'invitationId'> =>
    invitationFor(name, { inviterId: admin, linkId: 1 });
  const limits = { now, perDay: 0 };

  it('leaves members their invitations of the day, however many strangers asked to join', () => {
    const limitsOfOne = { now, perDay: 1 };
    const asking = [...link, ...decideRequestSignUp(after(...link), asked('a'), limitsOfOne)];
    expect(decideRequestSignUp(after(...asking), asked('b'), limitsOfOne)).toEqual([]);
    const [sent] = decideSendInvitations(after(...asking), [invitationFor('b')], limitsOfOne);
    expect(sent?.type).toBe('InvitationSent');
  });

  it('ends what came of it when it expires', () => {
    const terminated = decideCreateLink(after(), linkFor(admin, now / 1000 + 60), now);
    const events = [...terminated, ...decideRequestSignUp(after(...terminated), asked('a'), limits)];
    const usable = (at: number): boolean => {
      const state = after(...events);
      return canBeUsed(state.byId.get(2)!, state, { ...snapshot, now: at });
    };
    expect([usable(now), usable(now + 60_000)]).toEqual([true, false]);
  });

  it('is one of a maximum number of open ones of a person', () => {
    const events: InvitationEvent[] = [];
    const create = (inviterId: number, expiresAt: number | null, at = now): string | null =>
      refusal(() => events.push(...decideCreateLink(after(...events), linkFor(inviterId, expiresAt), at)));
    for (let count = 1; count < budgets.invitationLinks.max; count += 1) create(admin, null);
    expect(create(admin, now / 1000 + 60)).toBeNull();
    expect(create(admin, null)).toBe('tooManyInvitationLinks');
    expect(create(member, null)).toBeNull();
    expect(create(admin, null, now + 60_000)).toBeNull();
    expect(create(admin, null, now + 60_000)).toBe('tooManyInvitationLinks');
    events.push({ type: 'InvitationRevoked', data: { invitationId: 1, inviterId: admin } });
    expect(create(admin, null, now + 60_000)).toBeNull();
  });

  it('brings three e-mails a day to one address', () => {
    let events: readonly InvitationEvent[] = link;
    for (const _time of [1, 2, 3, 4]) {
      events = [...events, ...decideRequestSignUp(after(...events), asked('a'), limits)];
    }
    expect(events).toHaveLength(4);
    expect(decideRequestSignUp(after(...events), asked('b'), limits)).toHaveLength(1);
    expect(decideRequestSignUp(after(...events), asked('b'), { now, perDay: 3 })).toEqual([]);
  });

  it('takes what came of it along when it is revoked', () => {
    const events = [...link, ...decideRequestSignUp(after(...link), asked('a'), limits)];
    const usable = (state: Invitations): boolean => canBeUsed(state.byId.get(2)!, state, snapshot);
    expect(usable(after(...events))).toBe(true);
    const revoked = decideRevokeInvitation(after(...events), { invitationId: 1, kind: 'link' }, user(admin));
    expect(usable(after(...events, ...revoked))).toBe(false);
  });
});
