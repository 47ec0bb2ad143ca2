import { describe, expect, it } from '@jest/globals';
import {
  decideConfirmEmailChange,
  decideRequestEmailChange,
  decideRequestPasswordReset,
  decideResetPassword,
} from '../../src/contexts/account-links/account-links.decide.js';
import {
  RequestPasswordReset,
  RequestPasswordResetHandler,
} from '../../src/contexts/account-links/commands/account-links.js';
import type { AccountLinkEvent } from '../../src/events/account-links.js';
import {
  requestedLinksFold,
  type RequestedLinks,
} from '../../src/contexts/account-links/requested-links.state.js';
import type { UserEvent } from '../../src/events/users.js';
import { atTheTime, refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const hour = 3_600_000;
const day = 24 * hour;

/** An organization with one person, who requests links and follows them. */
class Person {
  readonly organization: TestOrganization;
  readonly id: number;

  constructor(...organization: ConstructorParameters<typeof TestOrganization>) {
    this.organization = new TestOrganization(...organization);
    this.id = this.organization.register();
  }

  get links(): RequestedLinks {
    return this.organization.log.fold(requestedLinksFold, `user-${this.id}`);
  }

  /** @returns the revision that the link names */
  requested(event: AccountLinkEvent, at = atTheTime): number {
    return this.organization.log.append(`user-${this.id}`, [event], { at })[0]!.revision;
  }

  wants(email: string, at = atTheTime): number {
    return this.requested({ type: 'EmailChangeRequested', data: this.change(email) }, at);
  }

  forgets(at = atTheTime): number {
    return this.requested({ type: 'PasswordResetRequested', data: { userId: this.id } }, at);
  }

  change(email: string): { userId: number; email: string; emailDigest: string } {
    return { userId: this.id, email, emailDigest: `digest of ${email}` };
  }

  asks(email: string, now = atTheTime): readonly AccountLinkEvent[] {
    const wanted = { userId: this.id, sent: email, emailDigest: `digest of ${email}` };
    const context = { state: this.organization.users, snapshot: this.organization.snapshot(now) };
    return decideRequestEmailChange(this.links, wanted, context);
  }

  confirms(revision: number, now = atTheTime): readonly UserEvent[] {
    const followed = { userId: this.id, revision, links: this.links };
    return decideConfirmEmailChange(this.organization.users, followed, {
      snapshot: this.organization.snapshot(now),
    });
  }

  resets(revision: number, now = atTheTime): readonly UserEvent[] {
    const followed = { userId: this.id, revision, links: this.links };
    return decideResetPassword(this.organization.users, followed, {
      snapshot: this.organization.snapshot(now),
    });
  }

  happened(events: readonly UserEvent[], at: number): void {
    this.organization.log.append('users', events, { at });
  }
}

describe('asking for another address', () => {
  it('is an event, unless it is the address already', () => {
    const person = new Person();
    expect(person.asks('new@example.com')).toEqual([
      { type: 'EmailChangeRequested', data: person.change('new@example.com') },
    ]);
    expect(person.asks(` ${person.organization.user(person.id).email} `)).toEqual([]);
  });

  it('is refused for an address of another, one that is none, and one of a domain that may not join', () => {
    const person = new Person();
    person.organization.register();
    expect(refusal(() => person.asks('person2@example.com'))).toBe('emailTaken');
    expect(refusal(() => person.asks('person2'))).toBe('emailInvalid');
    const restricted = new Person({ emails_restricted_to_domains: true });
    expect(refusal(() => restricted.asks('new@example.com'))).toBe('emailDomainNotAllowed');
  });

  it('is for administrators alone where the organization says so', () => {
    const person = new Person({ email_changes_disabled: true });
    expect(refusal(() => person.asks('new@example.com'))).toBe('emailChangesDisabled');
    person.organization.happened({
      type: 'UserRoleChanged',
      data: { userId: person.id, role: 200, previousRole: 400 },
    });
    expect(person.asks('new@example.com')).toHaveLength(1);
  });

  it('causes ten e-mails a day at most, besides those for passwords, which anybody may request', () => {
    const person = new Person();
    for (let count = 0; count < 10; count += 1) person.forgets();
    expect(person.asks('new@example.com')).toHaveLength(1);
    for (let count = 0; count < 10; count += 1) person.wants(`new${count}@example.com`);
    expect(refusal(() => person.asks('new@example.com', atTheTime + day - 1))).toBe('rateLimitHit');
    expect(person.asks('new@example.com', atTheTime + day)).toHaveLength(1);
  });
});

describe('confirming another address', () => {
  it('makes it the account’s for a day after it was asked for', () => {
    const person = new Person();
    const link = person.wants('new@example.com');
    expect(person.confirms(link, atTheTime + day)).toEqual([
      {
        type: 'UserEmailChanged',
        data: { ...person.change('new@example.com'), previousEmail: 'person1@example.com' },
      },
    ]);
    expect(refusal(() => person.confirms(link, atTheTime + day + 1))).toBe('linkInvalid');
  });

  it('is refused while the organization is closed', () => {
    const person = new Person();
    const link = person.wants('new@example.com');
    person.organization.log.append('organization', [
      { type: 'OrganizationDeactivated', data: { deletionDelayDays: null } },
    ]);
    expect(refusal(() => person.confirms(link))).toBe('organizationDeactivated');
    person.organization.log.append('organization', [
      { type: 'OrganizationReactivated', data: { operator: 'root' } },
    ]);
    expect(person.confirms(link)).toHaveLength(1);
  });

  it('happens once', () => {
    const person = new Person();
    const link = person.wants('new@example.com');
    person.happened(person.confirms(link), atTheTime + hour);
    expect(refusal(() => person.confirms(link, atTheTime + hour))).toBe('linkInvalid');
  });

  it('is void once the address was changed otherwise, or another was asked for', () => {
    const person = new Person();
    const first = person.wants('first@example.com');
    const second = person.wants('second@example.com');
    expect(refusal(() => person.confirms(first))).toBe('linkInvalid');
    const data = { ...person.change('set@example.com'), previousEmail: 'person1@example.com' };
    person.happened([{ type: 'UserEmailChanged', data }], atTheTime + hour);
    expect(refusal(() => person.confirms(second, atTheTime + hour))).toBe('linkInvalid');
  });

  it('is refused when the password was changed since: whoever took the account back keeps it', () => {
    const person = new Person();
    const link = person.wants('new@example.com');
    person.happened([{ type: 'UserPasswordChanged', data: { userId: person.id } }], atTheTime + hour);
    expect(refusal(() => person.confirms(link, atTheTime + hour))).toBe('linkInvalid');
  });

  it('is refused when somebody else has the address by now, or the account was deactivated', () => {
    const person = new Person();
    const link = person.wants('person2@example.com');
    person.organization.register();
    expect(refusal(() => person.confirms(link))).toBe('emailTaken');
    person.organization.happened({ type: 'UserDeactivated', data: { userId: person.id } });
    expect(refusal(() => person.confirms(link))).toBe('linkInvalid');
  });
});

describe('setting a password by a link', () => {
  it('happens once, within a day', () => {
    const person = new Person();
    const link = person.forgets();
    expect(refusal(() => person.resets(link, atTheTime + day + 1))).toBe('linkInvalid');
    const events = person.resets(link, atTheTime + hour);
    expect(events).toEqual([{ type: 'UserPasswordChanged', data: { userId: person.id } }]);
    person.happened(events, atTheTime + hour);
    expect(refusal(() => person.resets(link, atTheTime + hour))).toBe('linkInvalid');
  });

  it('is refused when the address was changed since: the link was sent to the former one', () => {
    const person = new Person();
    const [link, address] = [person.forgets(), person.wants('new@example.com')];
    person.happened(person.confirms(address), atTheTime + hour);
    expect(refusal(() => person.resets(link, atTheTime + hour))).toBe('linkInvalid');
  });

  it('is for the newest link, and for no link of another kind', () => {
    const person = new Person();
    const [older, address, newer] = [person.forgets(), person.wants('new@example.com'), person.forgets()];
    expect(refusal(() => person.resets(older))).toBe('linkInvalid');
    expect(refusal(() => person.resets(address))).toBe('linkInvalid');
    expect(person.resets(newer)).toHaveLength(1);
    person.organization.happened({ type: 'UserDeactivated', data: { userId: person.id } });
    expect(refusal(() => person.resets(newer))).toBe('linkInvalid');
  });

  it('sends at most ten e-mails a day, without saying so in the reply', () => {
    const person = new Person();
    const asks = (now: number): number =>
      decideRequestPasswordReset(person.links, { userId: person.id, now }).length;
    for (let count = 0; count < 10; count += 1) person.forgets();
    expect(asks(atTheTime + 1)).toBe(0);
    expect(asks(atTheTime + day)).toBe(1);
  });
});

describe('asking for an e-mail', () => {
  it('looks for nobody before it is answered, so that the time of the answer tells nothing', async () => {
    const later: (() => Promise<void>)[] = [];
    const looked: string[] = [];
    const decisions = {
      snapshot: () => {
        looked.push('snapshot');
        return { directory: null, now: atTheTime };
      },
    };
    const emails = { find: () => (looked.push('find'), null) };
    const dependencies = [decisions, emails, { run: (task: () => Promise<void>) => later.push(task) }];
    const handler = Reflect.construct(
      RequestPasswordResetHandler,
      dependencies,
    ) as RequestPasswordResetHandler;
    await handler.execute(new RequestPasswordReset('somebody@example.com', 'test'));
    expect([looked, later.length]).toEqual([[], 1]);
    await later[0]?.();
    expect(looked).toEqual(['snapshot', 'find']);
  });
});
