import { describe, expect, it } from '@jest/globals';
import { decideGatewayBot } from '../../src/contexts/channel-mail/gateway-bot.decide.js';
import { decideCreateUser, type NewPerson } from '../../src/contexts/users/users.decide.js';
import { decideRenameSelf } from '../../src/contexts/users/identity.decide.js';
import type { UserEvent } from '../../src/events/users.js';
import { refusal } from '../support/given.js';
import type { TestOrganization } from '../support/organization.js';
import { staffed } from '../support/staffed-organization.js';

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
