import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { OpenIdProvider } from '../../src/contexts/external-sign-in/open-id-provider.js';
import type { ApplicationError } from '../../src/kernel/errors.js';
import { FakeOpenIdProvider } from '../support/open-id-provider.js';

let fake: FakeOpenIdProvider;

beforeEach(async () => {
  fake = await FakeOpenIdProvider.start();
});

afterEach(() => fake.stop());

const redirectUri = 'http://127.0.0.1:1/callback';

/** @param timeoutSeconds ends what hangs, unless a test waits for that */
function provider(now: () => number = Date.now, timeoutSeconds = 60): OpenIdProvider {
  const { issuer, clientId, clientSecret } = fake;
  const configuration = { issuer, clientId, clientSecret, name: 'Fake', registering: [] };
  return new OpenIdProvider({ configuration, clock: { now }, logger: silentLogger, timeoutSeconds });
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  return ((await work.catch((error: unknown) => error)) as ApplicationError).row;
}

describe('the provider of OpenID Connect', () => {
  it('is asked for its metadata once, however many begin at once, and again after an hour', async () => {
    let now = Date.now();
    const one = provider(() => now);
    await Promise.all([1, 2, 3].map(() => one.begin(redirectUri)));
    await one.begin(redirectUri);
    expect(fake.requests).toHaveLength(1);
    now += 3_600_001;
    await one.begin(redirectUri);
    expect(fake.requests).toHaveLength(2);
  });

  it('times out when it does not answer, and the next sign-in asks it again', async () => {
    // As long as on a server: what is answered must be in time, too.
    const one = provider(Date.now, 5);
    fake.isSilent = true;
    expect(await refusalOf(one.begin(redirectUri))).toBe('externalProviderUnavailable');
    fake.isSilent = false;
    const { url, challenge } = await one.begin(redirectUri);
    const { headers } = await fetch(url, { redirect: 'manual' });
    fake.isSilent = true;
    const answer = new URL(headers.get('location') ?? '');
    expect(await refusalOf(one.complete(answer, challenge))).toBe('externalProviderUnavailable');
  });

  it('accepts a code only from the client that requested it', async () => {
    fake.person = { sub: '1', email: 'ada@example.com', email_verified: true };
    const one = provider();
    const [mine, other] = [await one.begin(redirectUri), await one.begin(redirectUri)];
    const back = async (url: URL): Promise<URL> => {
      const { headers } = await fetch(url, { redirect: 'manual' });
      return new URL(headers.get('location') ?? '');
    };
    const stolen = await back(mine.url);
    const { codeVerifier } = other.challenge;
    expect(await refusalOf(one.complete(stolen, { ...mine.challenge, codeVerifier }))).toBe(
      'externalSignInFailed',
    );
    expect(await one.complete(await back(other.url), other.challenge)).toMatchObject({
      email: 'ada@example.com',
    });
    expect(other.url.search).toContain('code_challenge_method=S256');
    expect(other.url.search).not.toContain(codeVerifier);
  });

  it('refuses a sign-in if no provider is configured', async () => {
    const none = new OpenIdProvider({ configuration: null, clock: { now: Date.now }, logger: silentLogger });
    expect(await refusalOf(none.begin(redirectUri))).toBe('externalSignInNotConfigured');
  });
});
