import { describe, expect, it } from '@jest/globals';
import { serverSettingsReply } from '../../src/contexts/organization/organization.replies.js';
import { ExternalMethods } from '../../src/http/authentication/external-methods.js';
import { openIdFrom } from '../../src/configuration/open-id-configuration.js';
import {
  decideLinkIdentity,
  decideRegisterExternally,
  nameOf,
} from '../../src/contexts/external-sign-in/identity.decide.js';
import { linkedIdentityFold } from '../../src/contexts/external-sign-in/linked-identity.state.js';
import { mobileAppUrl } from '../../src/contexts/external-sign-in/external-sign-ins.js';
import { identityOf } from '../../src/contexts/external-sign-in/open-id-provider.js';
import type { ApplicationError } from '../../src/kernel/errors.js';
import { TestOrganization } from '../support/organization.js';

function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as ApplicationError).row;
  }
}

describe('the configuration of a provider', () => {
  const whole = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'palimpsest' };
  const read = (environment: Record<string, string>) => openIdFrom((name) => environment[name] ?? null);

  it('is nothing where nothing is set, and takes its defaults from the issuer', () => {
    expect(read({})).toBeNull();
    expect(read(whole)).toEqual({
      issuer: 'https://id.example.com/',
      clientId: 'palimpsest',
      clientSecret: null,
      name: 'id.example.com',
      registering: [],
    });
  });

  it('lists whose people are registered, in any case', () => {
    expect(read({ ...whole, OIDC_REGISTER_DOMAINS: 'Example.com, b.example=GUEST' })?.registering).toEqual([
      { domain: 'example.com', role: 'member' },
      { domain: 'b.example', role: 'guest' },
    ]);
  });

  it.each([
    [{ OIDC_ISSUER: 'https://id.example.com' }, /set together; all other OIDC variables are optional/],
    [{ OIDC_CLIENT_SECRET: 'secret' }, /set together/],
    [{ OIDC_REGISTER_DOMAINS: 'example.com' }, /set together/],
    [{ ...whole, OIDC_ISSUER: 'http://id.example.com' }, /must begin with https/],
    [{ ...whole, OIDC_ISSUER: 'id.example.com' }, /OIDC_ISSUER must be/],
    [{ ...whole, OIDC_NAME: 'two\nlines' }, /OIDC_NAME/],
    [{ ...whole, OIDC_REGISTER_DOMAINS: 'example.com=owner' }, /OIDC_REGISTER_DOMAINS/],
    [{ ...whole, OIDC_REGISTER_DOMAINS: '@example.com' }, /OIDC_REGISTER_DOMAINS/],
  ])('is refused: %j', (environment, message) => {
    expect(() => read(environment)).toThrow(message);
  });
});

describe('who a provider vouches for', () => {
  it('has an address that was verified, and names by which they may be called', () => {
    const claims = {
      sub: '1',
      email: 'ada@example.com',
      email_verified: true,
      given_name: 'Ada',
      family_name: 'Quill',
    };
    expect(identityOf(claims)).toEqual({ subject: '1', email: 'ada@example.com', names: ['Ada Quill'] });
    expect(identityOf({ ...claims, email: ' ada@example.com\n' }).email).toBe('ada@example.com');
    for (const email_verified of [false, 'true', 1, undefined])
      expect(refusalOf(() => identityOf({ ...claims, email_verified }))).toBe('externalEmailUnverified');
  });

  it.each([
    [['Ada `Quill`'], 'Ada Quill'],
    [['*', 'ada.q'], 'ada.q'],
    [['x'.repeat(200)], 'x'.repeat(100)],
    [['Ada|3'], 'Ada 3'],
    [[], 'a (example.com)'],
  ])('is called by the first of the names %j that is fit', (names, expected) => {
    expect(nameOf({ email: 'a@example.com', names })).toBe(expected);
  });
});

describe('registering whom a provider vouches for', () => {
  const registering = [{ domain: 'engines.example', role: 'guest' } as const];
  const newcomer = (email: string) => ({
    identity: { email, names: ['Ada'] },
    emailDigest: `digest of ${email}`,
  });

  it('makes an account in the role of its domain', () => {
    const organization = new TestOrganization();
    const context = { registering, snapshot: organization.snapshot() };
    const [made] = decideRegisterExternally(organization.users, newcomer('ada@ENGINES.example'), context);
    expect(made).toMatchObject({
      type: 'UserRegistered',
      data: { role: 600, bot: null, awaitsFirstLogin: false },
    });
  });

  it('is refused to other domains', () => {
    const organization = new TestOrganization();
    const context = { registering, snapshot: organization.snapshot() };
    const decide = (email: string) => () =>
      decideRegisterExternally(organization.users, newcomer(email), context);
    expect(refusalOf(decide('ada@example.com'))).toBe('externalDomainNotRegistered');
    expect(refusalOf(decide('"ada@engines.example"@example.com'))).toBe('emailInvalid');
  });
});

describe('an identity', () => {
  const data = { userId: 3, issuer: 'https://id.example.com/', subjectDigest: 'one', isRegistration: false };

  it('is linked when it is another than the last', () => {
    expect(decideLinkIdentity(null, data)).toEqual([{ type: 'ExternalIdentityLinked', data }]);
    expect(decideLinkIdentity('one', data)).toEqual([]);
    expect(decideLinkIdentity('two', data)).toHaveLength(1);
    expect(linkedIdentityFold.initial).toBeNull();
  });

  it('is handed to an app encrypted, and only with a pad as long as the key', () => {
    const signIn = {
      apiKey: 'k'.repeat(32),
      email: 'ada@example.com',
      userId: 3,
      site: 'https://chat.example.com',
    };
    const url = mobileAppUrl({ ...signIn, otp: '00'.repeat(32) });
    expect(url).toContain(`otp_encrypted_api_key=${'6b'.repeat(32)}&`);
    expect(() => mobileAppUrl({ ...signIn, otp: '00' })).toThrow('differ in length');
  });
});

it('the described reply of the server’s settings has the methods for signing in', () => {
  const methods = new ExternalMethods({ name: 'Example ID' }).all;
  expect(serverSettingsReply.external_authentication_methods.parse(methods)).toEqual(methods);
});
