import { describe, expect, it } from '@jest/globals';
import { decideGatewayBot } from '../../src/contexts/channel-mail/gateway-bot.decide.js';
import { budgets } from '../../src/kernel/budgets.js';
import {
  decideCreateBot,
  decideUpdateBot,
  decideDeactivateBot,
} from '../../src/contexts/users/bots.decide.js';
import {
  decideCreateUser,
  type NewPerson,
  decideUpdateUser,
  type UserChanges,
} from '../../src/contexts/users/users.decide.js';
import {
  decideDeactivateOwnAccount,
  decideDeactivateUser,
  decideReactivateUser,
} from '../../src/contexts/users/deactivation.decide.js';
import { decideRegenerateApiKey } from '../../src/contexts/users/keys.decide.js';
import { decideRenameSelf } from '../../src/contexts/users/identity.decide.js';
import type { UserEvent } from '../../src/events/users.js';
import { isLastOwner } from '../../src/contexts/users/users.state.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

/** An organization with one account of each role, a bot of the member and a system bot. */
function staffed(
  ...settings: ConstructorParameters<typeof TestOrganization>
): TestOrganization &
  Record<'owner' | 'administrator' | 'moderator' | 'member' | 'guest' | 'bot' | 'systemBot', number> {
  const organization = new TestOrganization(...settings);
  const systemBot = organization.register({ bot: { type: 1, ownerId: null, isSystem: true } });
  const owner = organization.register({ role: 100 });
  const administrator = organization.register({ role: 200 });
  const moderator = organization.register({ role: 300 });
  const member = organization.register({ role: 400 });
  const guest = organization.register({ role: 600 });
  const bot = organization.register({
    fullName: 'Relay',
    bot: { type: 1, ownerId: member, isSystem: false },
  });
  return Object.assign(organization, { systemBot, owner, administrator, moderator, member, guest, bot });
}

const newPerson = {
  email: ' Cy@example.com',
  emailDigest: 'digest of cy@example.com',
  fullName: 'Cy',
  password: 'secret',
  unfinishedId: null,
};

function create(organization: TestOrganization, person: NewPerson, actorId: number): readonly UserEvent[] {
  return decideCreateUser(organization.users, person, organization.actor(actorId));
}

describe('creating a person', () => {
  it('claims the address and the next id in one event', () => {
    const organization = staffed();
    expect(create(organization, newPerson, organization.administrator)).toEqual([
      {
        type: 'UserRegistered',
        data: {
          userId: 8,
          email: 'Cy@example.com',
          emailDigest: 'digest of cy@example.com',
          fullName: 'Cy',
          role: 400,
          bot: null,
          awaitsFirstLogin: true,
        },
      },
    ]);
  });

  it('takes the id from the revision, after any earlier events', () => {
    const organization = staffed();
    organization.happened({ type: 'UserRenamed', data: { userId: organization.member, fullName: 'New' } });
    const [event] = create(organization, newPerson, organization.owner);
    expect(event).toMatchObject({ data: { userId: 9 } });
  });

  it.each(['moderator', 'member', 'guest', 'bot'] as const)('is not for a %s', (who) => {
    const organization = staffed();
    expect(refusal(() => create(organization, newPerson, organization[who]))).toBe('administratorRequired');
  });

  it('refuses an address that any account has, also a deactivated one', () => {
    const organization = staffed();
    organization.happened({ type: 'UserDeactivated', data: { userId: organization.member } });
    const { emailDigest } = organization.user(organization.member);
    expect(refusal(() => create(organization, { ...newPerson, emailDigest }, organization.owner))).toBe(
      'emailTaken',
    );
  });

  it.each([
    ['emailInvalid', { email: 'cy' }],
    ['emailInvalid', { email: 'cy example@example.com' }],
    ['emailInvalid', { email: `${'c'.repeat(250)}@example.com` }],
    ['nameTooShort', { fullName: 'C' }],
    ['passwordTooShort', { password: '12345' }],
    ['passwordTooLong', { password: 'x'.repeat(101) }],
  ])('is refused as %s: %j', (row, difference) => {
    const organization = staffed();
    expect(refusal(() => create(organization, { ...newPerson, ...difference }, organization.owner))).toBe(
      row,
    );
  });

  it('is refused for an address of another domain where the organization is restricted to some', () => {
    const organization = staffed();
    organization.log.append('organization', [
      {
        type: 'OrganizationSettingsChanged',
        data: { settings: { emails_restricted_to_domains: true }, previousSettings: {} },
      },
      { type: 'DomainAllowed', data: { domainId: 3, domain: 'example.com', allowSubdomains: false } },
    ]);
    const refusalOf = (email: string): string | null =>
      refusal(() => create(organization, { ...newPerson, email }, organization.owner));
    expect(refusalOf('cy@Example.com')).toBeNull();
    expect(refusalOf('cy@mail.example.com')).toBe('emailDomainNotAllowed');
    expect(refusalOf('cy@elsewhere.org')).toBe('emailDomainNotAllowed');
    expect(refusalOf('cy+other@example.com')).toBe('emailWithSuffixNotAllowed');
  });

  it('decides nothing for an account that was already created but not completed', () => {
    const organization = staffed();
    const { emailDigest } = organization.user(organization.member);
    const again = { ...newPerson, emailDigest, unfinishedId: organization.member };
    expect(create(organization, again, organization.owner)).toEqual([]);
    expect(refusal(() => create(organization, again, organization.moderator))).toBe('administratorRequired');
  });

  it('is refused for a caller who was deactivated after the request was authenticated', () => {
    const organization = staffed();
    organization.happened({ type: 'UserDeactivated', data: { userId: organization.administrator } });
    expect(refusal(() => create(organization, newPerson, organization.administrator))).toBe(
      'accountDeactivated',
    );
  });
});

describe('the e-mail gateway', () => {
  it('is one more account of the server’s own where it is missing', () => {
    const organization = staffed();
    const registered = decideGatewayBot(organization.users, 'digest of the gateway');
    expect(registered).toMatchObject([
      {
        type: 'UserRegistered',
        data: { userId: organization.bot + 1, email: 'emailgateway@zulip.com', bot: { isSystem: true } },
      },
    ]);
  });
});

describe('a name', () => {
  const uniquely = { require_unique_names: true };
  const named = (organization: TestOrganization, userId: number, sent: string): readonly UserEvent[] =>
    decideRenameSelf(organization.users, sent, organization.actor(userId));

  it('is given up for another, trimmed', () => {
    const organization = staffed();
    const { member: userId } = organization;
    expect(named(organization, userId, ' Ada Byron ')).toEqual([
      { type: 'UserRenamed', data: { userId, fullName: 'Ada Byron' } },
    ]);
    expect(named(organization, userId, organization.user(userId).fullName)).toEqual([]);
    expect(refusal(() => named(organization, userId, 'A'))).toBe('nameTooShort');
  });

  it('may be that of another person unless the organization wants names to be unique', () => {
    const taken = (organization: ReturnType<typeof staffed>): string | null =>
      refusal(() => named(organization, organization.member, 'PERSON 3'));
    expect(taken(staffed())).toBeNull();
    expect(taken(staffed(uniquely))).toBe('nameTaken');
    const left = staffed(uniquely);
    left.happened({ type: 'UserDeactivated', data: { userId: left.administrator } });
    expect(taken(left)).toBeNull();
  });

  it('may be spelled differently by its bearer', () => {
    const organization = staffed(uniquely);
    expect(named(organization, organization.member, 'PERSON 5')).toHaveLength(1);
  });

  it('changes only through administrators where the organization says so: others are passed over', () => {
    const organization = staffed({ name_changes_disabled: true });
    expect(named(organization, organization.member, 'Ada Byron')).toEqual([]);
    expect(named(organization, organization.member, 'A')).toEqual([]);
    expect(named(organization, organization.administrator, 'Ada Byron')).toHaveLength(1);
  });
});

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

describe('deactivating a person', () => {
  const deactivate = (
    organization: TestOrganization,
    actorId: number,
    userId: number,
  ): readonly UserEvent[] =>
    decideDeactivateUser(organization.users, { userId }, organization.actor(actorId));
  const leave = (organization: TestOrganization, userId: number): readonly UserEvent[] =>
    decideDeactivateOwnAccount(organization.users, organization.actor(userId));

  it('takes the person’s active bots along', () => {
    const organization = staffed();
    const { administrator, member, bot } = organization;
    const idle = organization.register({ bot: { type: 1, ownerId: member, isSystem: false } });
    organization.happened({ type: 'UserDeactivated', data: { userId: idle } });
    expect(deactivate(organization, administrator, member)).toEqual([
      { type: 'UserDeactivated', data: { userId: member } },
      { type: 'UserDeactivated', data: { userId: bot } },
    ]);
  });

  it('is everyone’s right over themselves, by the endpoint for one’s own account', () => {
    const organization = staffed();
    const { guest, member, bot, administrator } = organization;
    expect(leave(organization, guest)).toEqual([{ type: 'UserDeactivated', data: { userId: guest } }]);
    expect(leave(organization, member).map(({ data }) => data)).toEqual([
      { userId: member },
      { userId: bot },
    ]);
    expect(refusal(() => deactivate(organization, guest, guest))).toBe('insufficientPermission');
    expect(deactivate(organization, administrator, administrator)).toHaveLength(1);
  });

  it('is an administrator’s right over others', () => {
    const organization = staffed();
    const { moderator, member } = organization;
    expect(refusal(() => deactivate(organization, moderator, member))).toBe('insufficientPermission');
  });

  it('is an owner’s right over owners, but never over the last one', () => {
    const organization = staffed();
    const { owner, administrator } = organization;
    expect(refusal(() => deactivate(organization, administrator, owner))).toBe('ownerRequired');
    expect(refusal(() => deactivate(organization, owner, owner))).toBe('onlyOwnerStays');
    expect(refusal(() => leave(organization, owner))).toBe('cannotDeactivateLastUser');
    const second = organization.register({ role: 100 });
    expect(deactivate(organization, owner, second)).toHaveLength(1);
  });

  it('refuses bots, unknown people and those who are deactivated already', () => {
    const organization = staffed();
    const { owner, bot, systemBot, member } = organization;
    for (const userId of [bot, systemBot, 99]) {
      expect(refusal(() => deactivate(organization, owner, userId))).toBe('noSuchUser');
    }
    organization.happened({ type: 'UserDeactivated', data: { userId: member } });
    expect(refusal(() => deactivate(organization, owner, member))).toBe('alreadyDeactivated');
  });
});

describe('reactivating an account', () => {
  const reactivate = (
    organization: TestOrganization,
    actorId: number,
    userId: number,
  ): readonly UserEvent[] =>
    decideReactivateUser(organization.users, { userId, isErased: false }, organization.actor(actorId));

  it('brings a person back, and changes nothing for an active one', () => {
    const organization = staffed();
    const { administrator, member } = organization;
    expect(reactivate(organization, administrator, member)).toEqual([]);
    organization.happened({ type: 'UserDeactivated', data: { userId: member } });
    expect(reactivate(organization, administrator, member)).toEqual([
      { type: 'UserReactivated', data: { userId: member } },
    ]);
  });

  it('refuses a person whose name somebody else took meanwhile, if the organization requires unique names', () => {
    const refused = (organization: ReturnType<typeof staffed>): string | null => {
      const { administrator, member } = organization;
      organization.happened({ type: 'UserDeactivated', data: { userId: member } });
      expect(refusal(() => reactivate(organization, administrator, member))).toBeNull();
      organization.register({ fullName: organization.user(member).fullName.toUpperCase() });
      return refusal(() => reactivate(organization, administrator, member));
    };
    expect(refused(staffed())).toBeNull();
    expect(refused(staffed({ require_unique_names: true }))).toBe('nameTaken');
  });

  it('brings nobody back who was erased', () => {
    const organization = staffed();
    const { administrator, member } = organization;
    organization.happened({ type: 'UserDeactivated', data: { userId: member } });
    const by = organization.actor(administrator);
    const erased = { userId: member, isErased: true };
    expect(refusal(() => decideReactivateUser(organization.users, erased, by))).toBe('alreadyErased');
  });

  it('brings nobody back whose profile was deleted, but those of whom only messages were', () => {
    const organization = staffed();
    const { administrator, member } = organization;
    const messages = { publicChannelMessages: true, privateChannelMessages: false, directMessages: false };
    organization.happened({ type: 'UserDeactivated', data: { userId: member } });
    organization.happened({
      type: 'UserDeletionRequested',
      data: { userId: member, profile: false, ...messages },
    });
    expect(refusal(() => reactivate(organization, administrator, member))).toBeNull();
    organization.happened({
      type: 'UserDeletionRequested',
      data: { userId: member, profile: true, ...messages },
    });
    expect(refusal(() => reactivate(organization, administrator, member))).toBe('deletedForGood');
  });

  it('gives a bot whose owner is deactivated to the person who reactivates it', () => {
    const organization = staffed();
    const { administrator, member, bot } = organization;
    organization.happened(
      ...decideDeactivateUser(organization.users, { userId: member }, organization.actor(administrator)),
    );
    expect(reactivate(organization, administrator, bot)).toEqual([
      { type: 'UserReactivated', data: { userId: bot } },
      { type: 'BotOwnerChanged', data: { userId: bot, ownerId: administrator } },
      { type: 'ApiKeyRegenerated', data: { userId: bot } },
    ]);
  });

  it('gives a bot to nobody who may not own another one', () => {
    const organization = staffed();
    const { administrator, member, bot, owner } = organization;
    organization.happened(
      ...decideDeactivateUser(organization.users, { userId: member }, organization.actor(administrator)),
    );
    const other = organization.register({
      fullName: 'Beep',
      role: 200,
      bot: { type: 1, ownerId: owner, isSystem: false },
    });
    expect(refusal(() => reactivate(organization, other, bot))).toBe('invalidBotOwner');
    const { users, ...state } = organization.users;
    let many = users;
    for (let id = 1000; id < 1000 + budgets.botsOfPerson.max; id += 1) {
      many = many.set(id, {
        ...users.get(other)!,
        id,
        bot: { type: 1, ownerId: administrator, isSystem: false },
      });
    }
    const again = { userId: bot, isErased: false };
    const by = organization.actor(administrator);
    expect(refusal(() => decideReactivateUser({ ...state, users: many }, again, by))).toBe('tooManyBots');
  });

  it('of a bot is for its owner too, as long as they may make such bots', () => {
    const organization = staffed();
    const { member, moderator, bot } = organization;
    organization.happened({ type: 'UserDeactivated', data: { userId: bot } });
    expect(reactivate(organization, member, bot)).toEqual([
      { type: 'UserReactivated', data: { userId: bot } },
      { type: 'ApiKeyRegenerated', data: { userId: bot } },
    ]);
    expect(refusal(() => reactivate(organization, moderator, bot))).toBe('insufficientPermission');
    const strict = staffed({}, { can_create_bots_group: 6 });
    strict.happened({ type: 'UserDeactivated', data: { userId: strict.bot } });
    expect(refusal(() => reactivate(strict, strict.member, strict.bot))).toBe('insufficientPermission');
  });

  it('is for administrators, and of an owner for owners', () => {
    const organization = staffed();
    const { administrator, moderator, member, owner } = organization;
    const second = organization.register({ role: 100 });
    organization.happened(
      { type: 'UserDeactivated', data: { userId: member } },
      { type: 'UserDeactivated', data: { userId: second } },
    );
    expect(refusal(() => reactivate(organization, moderator, member))).toBe('insufficientPermission');
    expect(refusal(() => reactivate(organization, administrator, second))).toBe('ownerRequired');
    expect(reactivate(organization, owner, second)).toHaveLength(1);
  });
});

describe('bots', () => {
  const undecided = { sendingChannel: null, registeringChannel: null, allPublicChannels: null };
  const unchanged = {
    fullName: null,
    address: null,
    image: null,
    ownerId: null,
    role: null,
    defaults: undecided,
  };
  const newBot = {
    email: 'b-bot@example.com',
    emailDigest: 'digest of b-bot@example.com',
    fullName: 'Beep',
    type: 1,
    defaults: undecided,
  };

  it('belong to their creator', () => {
    const organization = staffed();
    const { member: actorId } = organization;
    const { type, defaults: _none, ...identity } = newBot;
    expect(decideCreateBot(organization.users, newBot, organization.actor(actorId))).toEqual([
      {
        type: 'UserRegistered',
        data: {
          userId: 8,
          ...identity,
          role: 400,
          bot: { type, ownerId: actorId, isSystem: false },
          awaitsFirstLogin: false,
        },
      },
    ]);
  });

  it.each([
    ['invalidBotType', 'member', { type: 5 }],
    ['invalidBotType', 'member', { type: 4 }],
    ['insufficientPermission', 'guest', {}],
    ['insufficientPermission', 'bot', {}],
    ['botNameTaken', 'member', { fullName: 'RELAY' }],
    ['emailTaken', 'member', { emailDigest: 'digest of person2@example.com' }],
  ] as const)('are refused as %s for a %s who asks for %j', (row, who, difference) => {
    const organization = staffed();
    const context = organization.actor(organization[who]);
    expect(refusal(() => decideCreateBot(organization.users, { ...newBot, ...difference }, context))).toBe(
      row,
    );
  });

  it('have a maximum number for each owner, also when they are transferred', () => {
    const organization = staffed();
    const { member, owner } = organization;
    for (let count = 0; count < budgets.botsOfPerson.max; count += 1) {
      organization.register({ bot: { type: 1, ownerId: member, isSystem: false } });
    }
    const create = (actorId: number) =>
      decideCreateBot(organization.users, newBot, organization.actor(actorId));
    expect(refusal(() => create(member))).toBe('tooManyBots');
    expect(create(owner)).toHaveLength(1);
    const another = organization.register({ bot: { type: 1, ownerId: owner, isSystem: false } });
    const changes = { ...unchanged, userId: another, ownerId: member };
    const by = organization.actor(owner);
    expect(refusal(() => decideUpdateBot(organization.users, changes, by))).toBe('tooManyBots');
  });

  it('may only be incoming webhooks where bots are for few', () => {
    const organization = new TestOrganization({}, { can_create_bots_group: 6 });
    const actorId = organization.register();
    const create = (type: number): string | null =>
      refusal(() => decideCreateBot(organization.users, { ...newBot, type }, organization.actor(actorId)));
    expect([create(1), create(2), create(3)]).toEqual([
      'insufficientPermission',
      null,
      'insufficientPermission',
    ]);
  });

  it('are changed and deactivated by their owner and by administrators', () => {
    const organization = staffed();
    const { users, bot, member, administrator, moderator } = organization;
    for (const actorId of [member, administrator]) {
      const by = organization.actor(actorId);
      expect(decideUpdateBot(users, { ...unchanged, userId: bot, fullName: 'Post' }, by)).toEqual([
        { type: 'UserRenamed', data: { userId: bot, fullName: 'Post' } },
      ]);
      expect(decideDeactivateBot(users, { userId: bot }, organization.actor(actorId))).toHaveLength(1);
    }
    expect(refusal(() => decideDeactivateBot(users, { userId: bot }, organization.actor(moderator)))).toBe(
      'insufficientPermission',
    );
  });

  it('have a name that no other active bot has, also once renamed or reactivated', () => {
    const organization = staffed();
    const { bot, owner } = organization;
    const by = organization.actor(owner);
    const other = organization.register({
      fullName: 'Beep',
      bot: { type: 1, ownerId: owner, isSystem: false },
    });
    const renamed = (userId: number, fullName: string): string | null =>
      refusal(() => decideUpdateBot(organization.users, { ...unchanged, userId, fullName }, by));
    expect([renamed(other, 'rELAY'), renamed(other, 'bEEP'), renamed(bot, 'beep')]).toEqual([
      'botNameTaken',
      null,
      'botNameTaken',
    ]);

    organization.happened({ type: 'UserDeactivated', data: { userId: other } });
    organization.happened({ type: 'UserRenamed', data: { userId: bot, fullName: 'Beep' } });
    expect(
      refusal(() => decideReactivateUser(organization.users, { userId: other, isErased: false }, by)),
    ).toBe('botNameTaken');
  });

  it('of a higher role than one’s own are nobody’s to change, to renew, to deactivate or to bring back', () => {
    const organization = staffed();
    const { bot, member, administrator, owner } = organization;
    const undoing = (actorId: number): (string | null)[] => {
      const by = organization.actor(actorId);
      const { users } = organization;
      const named = { ...unchanged, userId: bot, fullName: 'Post' };
      const person = { userId: bot, fullName: 'Post', role: null, profile: [], newEmail: null };
      return [
        () => decideUpdateBot(users, named, by),
        () => decideUpdateUser(users, person, by),
        () => decideRegenerateApiKey(users, { userId: bot }, by),
        () => decideDeactivateBot(users, { userId: bot }, by),
        () => decideReactivateUser(users, { userId: bot, isErased: false }, by),
      ].map(refusal);
    };
    const all = (row: string | null): (string | null)[] => Array<string | null>(5).fill(row);
    organization.happened({ type: 'UserRoleChanged', data: { userId: bot, role: 100, previousRole: 400 } });
    expect(undoing(owner)).toEqual(all(null));
    expect(undoing(administrator)).toEqual(all('ownerRequired'));
    expect(undoing(member)).toEqual(all('insufficientPermission'));
    organization.happened({ type: 'UserRoleChanged', data: { userId: bot, role: 200, previousRole: 400 } });
    expect(undoing(administrator)).toEqual(all(null));
    expect(undoing(member)).toEqual(all('insufficientPermission'));
  });

  it('get new keys when, by a change of role, somebody may no longer know the old ones', () => {
    const organization = staffed();
    const { bot, administrator, owner, moderator } = organization;
    const other = organization.register({
      fullName: 'Beep',
      bot: { type: 1, ownerId: owner, isSystem: false },
    });
    const changing = (userId: number, role: 100 | 200 | 300 | 400): readonly number[] => {
      const by = organization.actor(owner);
      const person = { userId, fullName: null, role, profile: [], newEmail: null };
      const events = decideUpdateUser(organization.users, person, by);
      organization.happened({ type: 'UserRoleChanged', data: { userId, role, previousRole: 400 } });
      return events.filter(({ type }) => type === 'ApiKeyRegenerated').map(({ data }) => data.userId);
    };
    // The bot's owner, a member, may not know its key any more; nor may the administrator once the bot has an
    // owner's role.
    expect(changing(bot, 300)).toEqual([bot]);
    expect(changing(bot, 200)).toEqual([]);
    expect(changing(bot, 100)).toEqual([bot]);
    // The administrator may know the key of the owner's bot until that bot has an owner's role.
    expect(changing(other, 200)).toEqual([]);
    expect(changing(other, 100)).toEqual([other]);
    expect(changing(moderator, 400)).toEqual([]);
    expect(changing(administrator, 100)).toEqual([]);
    expect(changing(administrator, 200)).toEqual([bot, other]);
    // With an owner's role, this bot could read the key of the other one.
    expect(changing(other, 200)).toEqual([bot]);
    expect(changing(administrator, 400)).toEqual([other]);
  });

  it('of higher roles get new keys when somebody leaves who could read theirs', () => {
    const organization = staffed();
    const { bot, administrator, owner } = organization;
    const leaving = (): readonly UserEvent[] =>
      decideDeactivateUser(organization.users, { userId: administrator }, organization.actor(owner));
    expect(leaving()).toEqual([{ type: 'UserDeactivated', data: { userId: administrator } }]);
    organization.happened({ type: 'UserRoleChanged', data: { userId: bot, role: 300, previousRole: 400 } });
    expect(leaving()).toEqual([
      { type: 'UserDeactivated', data: { userId: administrator } },
      { type: 'ApiKeyRegenerated', data: { userId: bot } },
    ]);
  });

  it('get another role from administrators alone, and that of an owner from owners', () => {
    const organization = staffed();
    const { users, bot, member, administrator, owner } = organization;
    const promote = (actorId: number, role: number): readonly UserEvent[] =>
      decideUpdateBot(users, { ...unchanged, userId: bot, role }, organization.actor(actorId));
    expect(promote(administrator, 300)).toEqual([
      { type: 'UserRoleChanged', data: { userId: bot, role: 300, previousRole: 400 } },
      { type: 'ApiKeyRegenerated', data: { userId: bot } },
    ]);
    expect(promote(owner, 100)).toHaveLength(2);
    expect(promote(member, 400)).toEqual([]);
    expect(refusal(() => promote(member, 300))).toBe('insufficientPermission');
    expect(refusal(() => promote(administrator, 100))).toBe('ownerRequired');
    expect(refusal(() => promote(administrator, 500))).toBe('invalidRole');
  });

  it('are given, with a new key, to active people only, and by administrators', () => {
    const organization = staffed();
    const { bot, member, moderator, guest, administrator } = organization;
    organization.happened({ type: 'UserDeactivated', data: { userId: guest } });
    const give = (
      ownerId: number,
      actorId = administrator,
      role: number | null = null,
    ): readonly UserEvent[] =>
      decideUpdateBot(
        organization.users,
        { ...unchanged, userId: bot, ownerId, role },
        organization.actor(actorId),
      );
    const given: readonly UserEvent[] = [
      { type: 'BotOwnerChanged', data: { userId: bot, ownerId: moderator } },
      { type: 'ApiKeyRegenerated', data: { userId: bot } },
    ];
    expect(give(moderator)).toEqual(given);
    const renewals = give(moderator, administrator, 300).filter(({ type }) => type === 'ApiKeyRegenerated');
    expect(renewals).toHaveLength(1);
    for (const ownerId of [guest, bot, 99]) expect(refusal(() => give(ownerId))).toBe('invalidBotOwner');
    expect(refusal(() => give(moderator, member))).toBe('insufficientPermission');
    expect(give(member, member)).toEqual([]);
    organization.happened({ type: 'UserDeactivated', data: { userId: bot } });
    expect(give(moderator)).toEqual(given.slice(0, 1));
  });

  it('are not people, nor are people bots', () => {
    const organization = staffed();
    const { users, member, owner, systemBot } = organization;
    expect(refusal(() => decideDeactivateBot(users, { userId: member }, organization.actor(owner)))).toBe(
      'noSuchBot',
    );
    expect(refusal(() => decideDeactivateBot(users, { userId: systemBot }, organization.actor(owner)))).toBe(
      'noSuchUser',
    );
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
