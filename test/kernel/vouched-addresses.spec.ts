import { describe, expect, it } from '@jest/globals';
import { EmailLookup } from '../../src/access/email-lookup.js';
import {
  SignInExternally,
  SignInExternallyHandler,
} from '../../src/contexts/external-sign-in/commands/sign-in-externally.js';
import { LogInWithToken, LogInWithTokenHandler } from '../../src/contexts/users/commands/log-in.js';
import type { Admission } from '../../src/contexts/users/admission.js';
import type { WebTokens } from '../../src/contexts/users/web-tokens.js';
import type { OpenIdProvider } from '../../src/contexts/external-sign-in/open-id-provider.js';
import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import type { User } from '../../src/access/records/user.js';
import type { Decisions } from '../../src/http/decisions.js';
import { ApplicationError } from '../../src/kernel/errors.js';
import { nameKey } from '../../src/kernel/text.js';
import type { Vault } from '../../src/stores/key-store/vault.js';
import { standIn } from '../support/stand-in.js';
import { TestOrganization } from '../support/organization.js';

const emailDigest = nameKey;
const email = 'Mike@GitHub.example';
const organization = new TestOrganization();
const mike = organization.register({ fullName: 'Mike' });
organization.happened({
  type: 'UserEmailChanged',
  data: { userId: mike, email, emailDigest: emailDigest(email), previousEmail: 'mike@example.com' },
});
const snapshot = organization.snapshot();
const emails = new EmailLookup({ emailDigest });
const follower = standIn<DirectoryFollower>({ current: () => snapshot.directory });
const origin = { client: 'test', address: '192.0.2.1' };

/** Logs in with a token that names this address. */
function byToken(address: string): Promise<unknown> {
  const tokens = standIn<WebTokens>({ emailOf: () => Promise.resolve(address) });
  const admission = standIn<Admission>({ admit: ({ id }: User) => Promise.resolve(id) });
  const handler = new LogInWithTokenHandler(tokens, follower, emails, admission);
  return handler.execute(new LogInWithToken('token', origin));
}

/** Signs in as somebody with this address, whom the provider knows and whose domain may register. */
async function byProvider(address: string): Promise<unknown> {
  const decisions = standIn<Decisions>({
    snapshot: () => snapshot,
    decideAs: (...[, , decide]: [unknown, unknown, (state: unknown) => unknown[]]) =>
      Promise.resolve({ events: decide(organization.users) }),
  });
  const registering = [{ domain: 'g\u0131thub.example', role: 'member' }];
  const provider = standIn<OpenIdProvider>({ configuration: { issuer: 'https://id.example/', registering } });
  const vault = standIn<Vault>({ linkDigest: () => 'digest' });
  const handler = new SignInExternallyHandler(provider, decisions, emails, follower, vault);
  const identity = { subject: '1', email: address, names: ['Mike'] };
  return (await handler.execute(new SignInExternally(identity, 'test'))).id;
}

async function refused(attempt: Promise<unknown>): Promise<unknown> {
  const error = await attempt.then(() => null).catch((reason: unknown) => reason);
  return error instanceof ApplicationError ? error.row : error;
}

describe('an address that another server vouches for', () => {
  const lookAlike = 'mike@g\u0131thub.example';

  it('is looked up in any case', () => {
    expect(emails.findIdentical(snapshot.directory, ' MIKE@github.EXAMPLE ')?.id).toBe(mike);
    expect(emails.find(snapshot.directory, lookAlike)?.id).toBe(mike);
    for (const other of [lookAlike, '\uff4dike@github.example', 'mi\u212ae@github.example']) {
      expect(emails.findIdentical(snapshot.directory, other)).toBeNull();
    }
  });

  it('lets the owner of a look-alike into no account by a token', async () => {
    await expect(byToken('mike@github.example')).resolves.toBe(mike);
    expect(await refused(byToken(lookAlike))).toBe('authenticationFailed');
  });

  it('lets the owner of a look-alike into no account by a provider', async () => {
    await expect(byProvider('mike@github.example')).resolves.toBe(mike);
    expect(await refused(byProvider(lookAlike))).toBe('emailTaken');
    expect(await refused(byProvider('mi\u212ae@github.example'))).toBe('externalDomainNotRegistered');
  });
});
