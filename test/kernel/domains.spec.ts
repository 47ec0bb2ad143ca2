import { describe, expect, it } from '@jest/globals';
import { assertAddressMayJoin } from '../../src/access/records/allowed-domains.js';
import {
  decideAllowDomain,
  decideChangeDomain,
  decideRemoveDomain,
} from '../../src/contexts/organization/domains.decide.js';
import { budgets } from '../../src/kernel/budgets.js';
import type { OrganizationEvent } from '../../src/events/organization.js';
import {
  organizationFold,
  ORGANIZATION_STREAM,
  type Organization,
} from '../../src/access/records/organization.js';
import type { User } from '../../src/access/records/user.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

/** An organization with an owner and a person of every lower role, and decisions in it. */
class Scene {
  readonly world = new TestOrganization();
  readonly owner = this.world.user(this.world.register({ role: 100 }));

  get organization(): Organization {
    return this.world.log.fold<Organization | null, OrganizationEvent>(
      organizationFold,
      ORGANIZATION_STREAM,
    )!;
  }

  get domains(): Organization['domains'] {
    return this.organization.domains;
  }

  allow(domain: string, actor: User = this.owner): readonly OrganizationEvent[] {
    const nextRevision = this.world.log.events.filter(({ stream }) => stream === ORGANIZATION_STREAM).length;
    const asked = { domain, allowSubdomains: false };
    return this.happened(decideAllowDomain(this.organization, asked, { user: actor, nextRevision }));
  }

  change(domain: string, allowSubdomains: boolean, actor: User = this.owner): readonly OrganizationEvent[] {
    return this.happened(decideChangeDomain(this.organization, { domain, allowSubdomains }, { user: actor }));
  }

  remove(domain: string, actor: User = this.owner): readonly OrganizationEvent[] {
    return this.happened(decideRemoveDomain(this.organization, domain, { user: actor }));
  }

  happened(events: readonly OrganizationEvent[]): readonly OrganizationEvent[] {
    this.world.log.append(ORGANIZATION_STREAM, events);
    return events;
  }
}

describe('an allowed domain', () => {
  it('is kept trimmed and in lower case, under the id of its event', () => {
    const scene = new Scene();
    expect(scene.allow(' Example.COM ')).toEqual([
      { type: 'DomainAllowed', data: { domainId: 2, domain: 'example.com', allowSubdomains: false } },
    ]);
    scene.allow('example.org');
    expect(scene.domains).toEqual([
      { id: 2, domain: 'example.com', allowSubdomains: false },
      { id: 3, domain: 'example.org', allowSubdomains: false },
    ]);
  });

  it.each([
    'localhost',
    '',
    'exa mple.com',
    '-example.com',
    'example-.com',
    'example..com',
    '.com',
    'ex_ample.com',
    `${'a'.repeat(252)}.com`,
  ])('is refused as %j', (domain) => {
    expect(refusal(() => new Scene().allow(domain))).toBe('invalidDomain');
  });

  it('is allowed once', () => {
    const scene = new Scene();
    scene.allow('example.com');
    expect(refusal(() => scene.allow('EXAMPLE.com'))).toBe('domainAlreadyAllowed');
  });

  it('is allowed with its subdomains, or without', () => {
    const scene = new Scene();
    scene.allow('example.com');
    expect(scene.change('Example.com', true)).toHaveLength(1);
    expect(scene.change('example.com', true)).toEqual([]);
    expect(scene.domains).toEqual([{ id: 2, domain: 'example.com', allowSubdomains: true }]);
    expect(refusal(() => scene.change('example.org', true))).toBe('noSuchDomain');
  });

  it('goes, and with the last one the restriction to domains', () => {
    const scene = new Scene();
    const restrict = { emails_restricted_to_domains: true };
    scene.happened([
      { type: 'OrganizationSettingsChanged', data: { settings: restrict, previousSettings: {} } },
    ]);
    scene.allow('example.com');
    scene.allow('example.org');
    expect(scene.remove('example.com').map(({ type }) => type)).toEqual(['AllowedDomainRemoved']);
    expect(scene.organization.settings.emails_restricted_to_domains).toBe(true);
    expect(scene.remove('example.org').map(({ type }) => type)).toEqual([
      'AllowedDomainRemoved',
      'OrganizationSettingsChanged',
    ]);
    expect(scene.organization.settings.emails_restricted_to_domains).toBe(false);
    expect(refusal(() => scene.remove('example.org'))).toBe('noSuchDomain');
  });

  it('is for owners to allow, to change and to take away', () => {
    const scene = new Scene();
    scene.allow('example.com');
    for (const role of [200, 300, 400, 600] as const) {
      const actor = scene.world.user(scene.world.register({ role }));
      expect(refusal(() => scene.allow('example.org', actor))).toBe('ownerRequired');
      expect(refusal(() => scene.change('example.com', true, actor))).toBe('ownerRequired');
      expect(refusal(() => scene.remove('example.com', actor))).toBe('ownerRequired');
    }
  });
});

describe('the address of a new person', () => {
  const domains = [
    { id: 2, domain: 'example.com', allowSubdomains: false },
    { id: 3, domain: 'example.org', allowSubdomains: true },
  ];
  const refusalOf = (email: string, restricted: boolean, refusesDisposable = true): string | null => {
    const settings = {
      emails_restricted_to_domains: restricted,
      disallow_disposable_email_addresses: refusesDisposable,
    };
    return refusal(() => assertAddressMayJoin({ settings, domains }, email));
  };

  it('may have any domain, unless the organization is restricted to domains', () => {
    expect(refusalOf('ada+x@anywhere.net', false)).toBeNull();
    expect(refusalOf('ada@anywhere.net', true)).toBe('emailDomainNotAllowed');
  });

  it('must not be disposable, unless the organization allows that', () => {
    for (const email of ['ada@mailinator.com', 'ada@box.Yopmail.com']) {
      expect(refusalOf(email, false)).toBe('disposableEmail');
      expect(refusalOf(email, false, false)).toBeNull();
    }
    expect(refusalOf('ada@notmailinator.com', false)).toBeNull();
  });

  it.each([
    [null, 'ada@Example.com'],
    ['emailDomainNotAllowed', 'ada@mail.example.com'],
    ['emailDomainNotAllowed', 'ada@notexample.com'],
    [null, 'ada@example.org'],
    [null, 'ada@mail.example.org'],
    ['emailDomainNotAllowed', 'ada@myexample.org'],
    ['emailWithSuffixNotAllowed', 'ada+other@example.com'],
  ])('gets the result %s (null: allowed) in a restricted organization: %s', (row, email) => {
    expect(refusalOf(email, true)).toBe(row);
  });
});

it('The allowed domains of an organization have a maximum number', () => {
  const scene = new Scene();
  for (let count = 0; count < budgets.allowedDomains.max; count += 1) scene.allow(`d${count}.example.com`);
  expect(refusal(() => scene.allow('one-more.example.com'))).toBe('tooManyDomains');
  scene.remove('d7.example.com');
  expect(scene.allow('one-more.example.com')).toHaveLength(1);
});
