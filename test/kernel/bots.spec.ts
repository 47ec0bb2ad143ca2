import { describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import {
  decideCreateBot,
  decideUpdateBot,
  decideDeactivateBot,
} from '../../src/contexts/users/bots.decide.js';
import { decideUpdateUser } from '../../src/contexts/users/users.decide.js';
import { decideDeactivateUser, decideReactivateUser } from '../../src/contexts/users/deactivation.decide.js';
import { decideRegenerateApiKey } from '../../src/contexts/users/keys.decide.js';
import type { UserEvent } from '../../src/events/users.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { staffed } from '../support/staffed-organization.js';

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
