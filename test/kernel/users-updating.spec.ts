import { describe, expect, it } from '@jest/globals';
import { decideUpdateUser, type UserChanges } from '../../src/contexts/users/users.decide.js';
import { decideRegenerateApiKey } from '../../src/contexts/users/keys.decide.js';
import type { UserEvent } from '../../src/events/users.js';
import { isLastOwner } from '../../src/contexts/users/users.state.js';
import { refusal } from '../support/given.js';
import type { TestOrganization } from '../support/organization.js';
import { staffed } from '../support/staffed-organization.js';

describe('updating a person', () => {
  const update = (
    organization: TestOrganization,
    actorId: number,
    changes: Partial<UserChanges> & Pick<UserChanges, 'userId'>,
  ): readonly UserEvent[] =>
    decideUpdateUser(
      organization.users,
      { fullName: null, role: null, profile: [], newEmail: null, ...changes },
      organization.actor(actorId),
    );

  it('changes name and role in one append', () => {
    const organization = staffed();
    const { administrator, member: userId } = organization;
    expect(update(organization, administrator, { userId, fullName: ' Ada ', role: 300 })).toEqual([
      { type: 'UserRoleChanged', data: { userId, role: 300, previousRole: 400 } },
      { type: 'UserRenamed', data: { userId, fullName: 'Ada' } },
    ]);
  });

  const address = { sent: ' Cy@example.com', emailDigest: 'digest of cy@example.com' };

  it('gives an account another address, which frees the one that it had', () => {
    const organization = staffed();
    const { owner, member: userId, guest } = organization;
    const before = organization.user(userId).emailDigest;
    const events = update(organization, owner, { userId, newEmail: address });
    expect(events).toEqual([
      {
        type: 'UserEmailChanged',
        data: {
          userId,
          email: 'Cy@example.com',
          emailDigest: address.emailDigest,
          previousEmail: 'person5@example.com',
        },
      },
    ]);
    organization.happened(...events);
    expect(organization.users.idsByEmailDigest.get(before)).toBeUndefined();
    const freed = { sent: 'person5@example.com', emailDigest: before };
    expect(update(organization, owner, { userId: guest, newEmail: freed })).toHaveLength(1);
    expect(refusal(() => update(organization, owner, { userId: guest, newEmail: address }))).toBe(
      'emailTaken',
    );
  });

  it('leaves addresses to owners who may change them, and looks at that before the role', () => {
    const organization = staffed();
    const { administrator, owner, member: userId } = organization;
    const request = { userId, newEmail: address, role: 7 };
    expect(refusal(() => update(organization, administrator, request))).toBe('insufficientPermission');
    expect(refusal(() => update(organization, owner, request))).toBe('invalidRole');
    const strict = staffed({}, { can_change_user_emails_group: 8 });
    expect(refusal(() => update(strict, strict.owner, request))).toBe('insufficientPermission');
  });

  it('looks at the address last', () => {
    const organization = staffed();
    const { owner, member: userId } = organization;
    const bad = { sent: 'cy', emailDigest: 'digest of cy' };
    expect(refusal(() => update(organization, owner, { userId, newEmail: bad, fullName: 'A' }))).toBe(
      'nameTooShort',
    );
    expect(refusal(() => update(organization, owner, { userId, newEmail: bad }))).toBe('emailInvalid');
  });

  it('records no event for values that stay the same', () => {
    const organization = staffed();
    const { administrator, member: userId } = organization;
    const { fullName, role } = organization.user(userId);
    expect(update(organization, administrator, { userId, fullName, role })).toEqual([]);
  });

  it('works on bots and on deactivated people', () => {
    const organization = staffed();
    organization.happened({ type: 'UserDeactivated', data: { userId: organization.member } });
    for (const userId of [organization.bot, organization.member]) {
      const [changed] = update(organization, organization.owner, { userId, role: 300 });
      expect(changed).toEqual({ type: 'UserRoleChanged', data: { userId, role: 300, previousRole: 400 } });
    }
  });

  it('looks for the account before it looks at the caller', () => {
    const organization = staffed();
    expect(refusal(() => update(organization, organization.member, { userId: 99 }))).toBe('noSuchUser');
    expect(refusal(() => update(organization, organization.owner, { userId: organization.systemBot }))).toBe(
      'noSuchUser',
    );
  });

  it.each(['moderator', 'member', 'guest'] as const)('is not for a %s', (who) => {
    const organization = staffed();
    expect(
      refusal(() => update(organization, organization[who], { userId: organization[who], fullName: 'Me' })),
    ).toBe('insufficientPermission');
  });

  it('lets only owners make or unmake owners', () => {
    const organization = staffed();
    const second = organization.register({ role: 100 });
    const { administrator, member, owner } = organization;
    expect(refusal(() => update(organization, administrator, { userId: member, role: 100 }))).toBe(
      'ownerRequired',
    );
    expect(refusal(() => update(organization, administrator, { userId: second, role: 200 }))).toBe(
      'ownerRequired',
    );
    expect(update(organization, owner, { userId: member, role: 100 })).toHaveLength(1);
    expect(update(organization, owner, { userId: second, role: 200 })).toHaveLength(1);
  });

  it('keeps the only owner an owner', () => {
    const organization = staffed();
    const { owner: userId } = organization;
    expect(refusal(() => update(organization, userId, { userId, role: 200 }))).toBe('onlyOwnerKeepsRole');
  });

  it('does not count deactivated owners, nor bots, as owners', () => {
    const organization = staffed();
    const second = organization.register({ role: 100 });
    organization.register({ role: 100, bot: { type: 1, ownerId: second, isSystem: false } });
    expect(isLastOwner(organization.users, organization.user(organization.owner))).toBe(false);
    organization.happened({ type: 'UserDeactivated', data: { userId: second } });
    expect(isLastOwner(organization.users, organization.user(organization.owner))).toBe(true);
    organization.happened({ type: 'UserReactivated', data: { userId: second } });
    expect(isLastOwner(organization.users, organization.user(organization.owner))).toBe(false);
  });

  it('refuses roles that do not exist', () => {
    const organization = staffed();
    const { owner, member: userId } = organization;
    for (const role of [0, 101, 500]) {
      expect(refusal(() => update(organization, owner, { userId, role }))).toBe('invalidRole');
    }
  });

  it.each([
    ['nameTooShort', 'A'],
    ['nameTooShort', '  A  '],
    ['nameTooLong', 'A'.repeat(101)],
    ['nameInvalid', 'A*B'],
    ['nameInvalid', 'A`B'],
    ['nameInvalid', 'A\\B'],
    ['nameInvalid', 'A>B'],
    ['nameInvalid', 'A"B'],
    ['nameInvalid', 'A@B'],
    ['nameInvalid', 'A\u0007B'],
    ['nameInvalid', 'Ada|3'],
  ])('refuses a name as %s: %j', (row, fullName) => {
    const organization = staffed();
    const { owner, member: userId } = organization;
    expect(refusal(() => update(organization, owner, { userId, fullName }))).toBe(row);
  });

  it('ignores a blank name', () => {
    const organization = staffed();
    const { owner, member: userId } = organization;
    for (const fullName of ['', ' \t']) {
      expect(update(organization, owner, { userId, fullName, role: 300 })).toEqual([
        { type: 'UserRoleChanged', data: { userId, role: 300, previousRole: 400 } },
      ]);
    }
  });

  it('counts a name in code points', () => {
    const organization = staffed();
    const { owner, member: userId } = organization;
    expect(refusal(() => update(organization, owner, { userId, fullName: '🦉'.repeat(100) }))).toBeNull();
    expect(refusal(() => update(organization, owner, { userId, fullName: '🦉' }))).toBe('nameTooShort');
  });
});

describe('renewing an API key', () => {
  it('is everyone’s right for themselves and for the bots that they may change', () => {
    const organization = staffed();
    const { users, member, guest, owner, bot } = organization;
    const renew = (actorId: number, userId: number): readonly UserEvent[] =>
      decideRegenerateApiKey(users, { userId }, organization.actor(actorId));
    expect(renew(guest, guest)).toEqual([{ type: 'ApiKeyRegenerated', data: { userId: guest } }]);
    expect(renew(member, bot)).toHaveLength(1);
    expect(refusal(() => renew(guest, bot))).toBe('insufficientPermission');
    expect(refusal(() => renew(owner, member))).toBe('noSuchBot');
  });
});
