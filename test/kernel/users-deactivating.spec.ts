import { describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import {
  decideDeactivateOwnAccount,
  decideDeactivateUser,
  decideReactivateUser,
} from '../../src/contexts/users/deactivation.decide.js';
import type { UserEvent } from '../../src/events/users.js';
import { refusal } from '../support/given.js';
import type { TestOrganization } from '../support/organization.js';
import { staffed } from '../support/staffed-organization.js';

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
