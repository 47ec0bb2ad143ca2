import { budgets } from '../../src/kernel/budgets.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import { Directory } from '../../src/access/directory.js';
import { LoginAttempts } from '../../src/http/limits/login-attempts.js';
import { ApplicationError } from '../../src/kernel/errors.js';
import { SystemClock } from '../../src/runtime/system-clock.js';
import { ApiKeyAuthenticator } from '../../src/contexts/users/authentication.js';
import { ApiKeyCache, apiKeyDigest } from '../../src/contexts/users/api-keys.js';
import {
  DeactivateUser,
  DeactivateUserHandler,
  ReactivateUser,
  ReactivateUserHandler,
} from '../../src/contexts/users/commands/users.js';
import type { ApiKeyUse, CredentialStore } from '../../src/stores/credential-store/port.js';
import { foldedUsers } from '../../src/contexts/users/users.state.js';
import { Credentials } from '../../src/contexts/users/credentials.js';
import { Admission, type LoggedIn } from '../../src/contexts/users/admission.js';
import { LogIn, LogInHandler } from '../../src/contexts/users/commands/log-in.js';
import { RegenerateApiKey, RegenerateApiKeyHandler } from '../../src/contexts/users/commands/api-keys.js';
import { owner, startPeopleNode, type PeopleNode } from '../support/people-node.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
let node: PeopleNode;

beforeEach(async () => {
  stores = await openTemporaryStores();
  node = await startPeopleNode(stores);
});

afterEach(async () => {
  await node.failures.onApplicationShutdown();
  await node.credentials.uses.idle();
  await node.follower.stop();
  await stores.dispose();
});

const email = 'bo@example.com';
const password = 'correct horse';

function logIn(username = email, secret = password, limit = 0): Promise<LoggedIn> {
  const attempts = new LoginAttempts({ rateLimitPerMinute: limit }, new SystemClock());
  const admission = new Admission(node.credentials, node.decisions, node.records, node.failures);
  const handler = new LogInHandler(
    node.follower,
    node.emails,
    node.credentials,
    attempts,
    admission,
    node.failures,
    node.secondFactors,
  );
  return handler.execute(new LogIn({ username, password: secret }, { address: '192.0.2.7', client: 'test' }));
}

const authenticate = (apiKey: string, address = email): Promise<number> =>
  node.authenticator.authenticate(address, apiKey);

async function refused(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(() => null).catch((reason: unknown) => reason);
  return error instanceof ApplicationError ? `${error.code}: ${error.message}` : String(error);
}

const invalid = 'UNAUTHORIZED: Invalid API key';

describe('logging in', () => {
  it('gives each log-in a valid key of its own, for any letter case of the address', async () => {
    const userId = await node.createUser(email, password);
    const keys = [(await logIn()).apiKey, (await logIn(' BO@Example.com ')).apiKey];
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) {
      expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
      await expect(authenticate(key)).resolves.toBe(userId);
      await expect(authenticate(key, 'BO@example.com')).resolves.toBe(userId);
    }
  });

  it('keeps so many keys of an account live: those of other clients, and of its own the most recently used', async () => {
    const userId = await node.createUser(email, password);
    const user = { id: userId, bot: null };
    const phone = (await node.credentials.issueKey(user, 'phone')).key;
    const used = (await node.credentials.issueKey(user, 'script')).key;
    const keys: string[] = [];
    for (let each = 2; each < budgets.apiKeysOfAccount.max; each += 1)
      keys.push((await node.credentials.issueKey(user, 'script')).key);
    const inOrder = [phone, ...keys, used].map((key, at) => ({ digest: apiKeyDigest(key), at }));
    await stores.credentialStore.noteApiKeyUses(inOrder);
    keys.push((await node.credentials.issueKey(user, 'script')).key);
    expect(await stores.credentialStore.apiKeys(userId)).toHaveLength(budgets.apiKeysOfAccount.max);
    for (const key of [phone, used, ...keys.slice(1)]) await expect(authenticate(key)).resolves.toBe(userId);
    expect(await refused(authenticate(keys[0] ?? ''))).toBe(invalid);
  });

  it('keeps a key that may have been used since its last recorded use', async () => {
    const userId = await node.createUser(email, password);
    const user = { id: userId, bot: null };
    const used = (await node.credentials.issueKey(user, 'script')).key;
    await stores.credentialStore.noteApiKeyUses([{ digest: apiKeyDigest(used), at: Date.now() }]);
    const others: string[] = [];
    for (let each = 0; each < budgets.apiKeysOfAccount.max; each += 1)
      others.push((await node.credentials.issueKey(user, 'script')).key);
    await expect(authenticate(used)).resolves.toBe(userId);
    expect(await refused(authenticate(others[0] ?? ''))).toBe(invalid);
  });

  it('records when a key was used, at most once a minute, and authenticates also if that fails', async () => {
    const userId = await node.createUser(email, password);
    const { apiKey } = await logIn();
    const uses: (readonly ApiKeyUse[])[] = [];
    const lost: unknown[] = [];
    let now = Date.now();
    let isFull = false;
    const store = Object.create(stores.credentialStore, {
      noteApiKeyUses: {
        value: async (noted: readonly ApiKeyUse[]) => {
          if (isFull) throw new Error('disk full');
          uses.push(noted);
          await stores.credentialStore.noteApiKeyUses(noted);
        },
      },
    }) as CredentialStore;
    const use = async (later: number): Promise<void> => {
      now += later;
      const clock = { now: () => now };
      const { vault } = stores;
      const credentials = new Credentials({ store, vault, clock, onLost: (error) => lost.push(error) });
      await expect(credentials.ownerOf(apiKey)).resolves.toBe(userId);
      await credentials.uses.idle();
    };
    await use(0);
    await use(59_999);
    await use(1);
    expect(uses.map((noted) => noted.map(({ at }) => at))).toEqual([[now - 60_000], [now]]);
    isFull = true;
    await use(60_000);
    expect(lost).toEqual([new Error('disk full')]);
  });

  it('makes the person join with the first one', async () => {
    const userId = await node.createUser(email, password);
    const before = node.follower.current().user(userId);
    await logIn();
    const joined = node.follower.current().user(userId);
    expect(before?.awaitsFirstLogin).toBe(true);
    expect(joined?.awaitsFirstLogin).toBe(false);
    await logIn();
    expect(node.follower.current().user(userId)?.joinedAt).toBe(joined?.joinedAt);
  });

  it('says the same of an unknown address, a wrong password and an account without one', async () => {
    await node.createUser(email, password);
    const same = 'AUTHENTICATION_FAILED: Your username or password is incorrect';
    expect(await refused(logIn('nobody@example.com'))).toBe(same);
    expect(await refused(logIn(email, 'wrong horse'))).toBe(same);
    expect(await refused(logIn('ada@example.com'))).toBe(same);
    expect(await refused(logIn('notification-bot@zulip.com'))).toBe(same);
  });

  it('tells a deactivated person so, if the password is right', async () => {
    const userId = await node.createUser(email, password);
    await new DeactivateUserHandler(node.renewals).execute(new DeactivateUser(owner, userId));
    expect(await refused(logIn())).toBe('USER_DEACTIVATED: Account is deactivated');
    expect(await refused(logIn(email, 'wrong horse'))).toMatch(/^AUTHENTICATION_FAILED/);
  });
});

describe('authenticating', () => {
  it('refuses unknown keys, keys of others and unknown addresses alike', async () => {
    await node.createUser(email, password);
    const { apiKey } = await logIn();
    expect(await refused(authenticate('x'.repeat(32)))).toBe(invalid);
    expect(await refused(authenticate(apiKey, 'ada@example.com'))).toBe(invalid);
    expect(await refused(authenticate(apiKey, 'nobody@example.com'))).toBe(invalid);
  });

  it('refuses every earlier key once they are renewed', async () => {
    const userId = await node.createUser(email, password);
    const { apiKey } = await logIn();
    await authenticate(apiKey);
    const caller = { ...owner, userId };
    const renewing = new RegenerateApiKeyHandler(node.renewals);
    const fresh = await renewing.execute(new RegenerateApiKey(caller, userId));
    expect(await refused(authenticate(apiKey))).toBe(invalid);
    await expect(authenticate(fresh)).resolves.toBe(userId);
  });

  it('refuses a deactivated person at once, and the old keys also after they came back', async () => {
    const userId = await node.createUser(email, password);
    const { apiKey } = await logIn();
    await authenticate(apiKey);
    await new DeactivateUserHandler(node.renewals).execute(new DeactivateUser(owner, userId));
    expect(await refused(authenticate(apiKey))).toBe(invalid);
    await new ReactivateUserHandler(node.renewals, stores.vault).execute(new ReactivateUser(owner, userId));
    expect(await refused(authenticate(apiKey))).toBe(invalid);
    await expect(authenticate((await logIn()).apiKey)).resolves.toBe(userId);
  });

  it('says that the account is deactivated where its keys are still there', async () => {
    const userId = await node.createUser(email, password);
    const { apiKey } = await logIn();
    await node.decisions.decide(owner, foldedUsers, () => [{ type: 'UserDeactivated', data: { userId } }]);
    expect(await refused(authenticate(apiKey))).toBe('UNAUTHORIZED: Account is deactivated');
  });

  it('does not revive keys that a deactivation was kept from revoking', async () => {
    const userId = await node.createUser(email, password);
    const { apiKey } = await logIn();
    await node.decisions.decide(owner, foldedUsers, () => [{ type: 'UserDeactivated', data: { userId } }]);
    await new ReactivateUserHandler(node.renewals, stores.vault).execute(new ReactivateUser(owner, userId));
    expect(await refused(authenticate(apiKey))).toBe(invalid);
  });

  it('does not revoke the keys of an active person who is reactivated', async () => {
    const userId = await node.createUser(email, password);
    const { apiKey } = await logIn();
    await new ReactivateUserHandler(node.renewals, stores.vault).execute(new ReactivateUser(owner, userId));
    await expect(authenticate(apiKey)).resolves.toBe(userId);
  });

  it('waits for this node to learn of an account that another has just made', async () => {
    const userId = await node.createUser(email, password);
    const { apiKey } = await logIn();
    let caughtUp = false;
    const late = Object.create(node.follower, {
      current: { value: () => (caughtUp ? node.follower.current() : new Directory()) },
      waitUntil: { value: () => Promise.resolve((caughtUp = true)) },
    }) as DirectoryFollower;
    const { credentials, emails } = node;
    const authenticator = new ApiKeyAuthenticator(credentials, emails, late, stores.log);
    await expect(authenticator.authenticate(email, apiKey)).resolves.toBe(userId);
  });
});

describe('making an account', () => {
  it('is finished by the same request where a crash kept the password from being set', async () => {
    const store = stores.credentialStore;
    const { addPasswordHash } = store;
    store.addPasswordHash = () => Promise.reject(new Error('power cut'));
    await expect(node.createUser(email, password)).rejects.toThrow('power cut');
    store.addPasswordHash = addPasswordHash.bind(store);
    const userId = await node.createUser(email, password);
    expect((await logIn()).user.id).toBe(userId);
    expect(await refused(node.createUser(email, 'another horse'))).toBe(
      'BAD_REQUEST: Email is already in use',
    );
  });

  it('is not finished by a request that comes while it is made', async () => {
    const attempts = await Promise.allSettled([node.createUser(email), node.createUser(email)]);
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the cache of keys', () => {
  it('asks the store once for a live key, and each time for one that is not', async () => {
    const cache = new ApiKeyCache();
    let asked = 0;
    const answer = (owner: number | null) => (): Promise<number | null> => {
      asked += 1;
      return Promise.resolve(owner);
    };
    await cache.ownerOf('live', answer(3));
    await cache.ownerOf('live', answer(3));
    expect(asked).toBe(1);
    await cache.ownerOf('dead', answer(null));
    await cache.ownerOf('dead', answer(null));
    expect(asked).toBe(3);
  });

  it('does not remember what was looked up before a revocation', async () => {
    const cache = new ApiKeyCache();
    let answer: (owner: number) => void = () => {};
    const lookUp = cache.ownerOf('key', () => new Promise((resolve) => (answer = resolve)));
    cache.forget(3);
    answer(3);
    await expect(lookUp).resolves.toBe(3);
    await expect(cache.ownerOf('key', () => Promise.resolve(null))).resolves.toBeNull();
  });
});
