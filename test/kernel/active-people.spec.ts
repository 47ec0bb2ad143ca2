import { describe, expect, it } from '@jest/globals';
import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import { ActivePeople } from '../../src/contexts/channels/active-people.js';
import { Credentials } from '../../src/contexts/users/credentials.js';
import type { CredentialStore, StoredApiKey } from '../../src/stores/credential-store/port.js';
import type { Vault } from '../../src/stores/key-store/vault.js';
import { TestOrganization } from '../support/organization.js';
import { standIn } from '../support/stand-in.js';

const day = 86_400_000;
const now = 1_000 * day;

/** People with one API key each: how many days ago it was issued, and last used; null: never. */
function organized(keys: readonly (readonly [issued: number, used: number | null])[]) {
  const organization = new TestOrganization();
  const ids = keys.map(() => organization.register());
  const bot = organization.register({ bot: { type: 1, ownerId: ids[0]!, isSystem: false } });
  const stored = keys.map(([issued, used], index): StoredApiKey => ({
    userId: ids[index]!,
    digest: String(index),
    createdAt: now - issued * day,
    sealed: null,
    client: null,
    lastUsedAt: used === null ? null : now - used * day,
  }));
  const asked: (readonly number[])[] = [];
  const store = standIn<CredentialStore>({
    apiKeysOf: (userIds: readonly number[]) => {
      asked.push(userIds);
      return Promise.resolve(stored.filter(({ userId }) => userIds.includes(userId)));
    },
  });
  const clock = { now: () => time.at };
  const time = { at: now };
  const credentials = new Credentials({ store, vault: standIn<Vault>({}), clock, onLost: () => undefined });
  const { directory } = organization.snapshot();
  const follower = standIn<DirectoryFollower>({ current: () => directory });
  return { people: new ActivePeople(credentials, follower, clock), ids, bot, asked, time };
}

describe('people who were active lately', () => {
  it('are those of whom a key was used, or issued, in the last fourteen days', async () => {
    const { people, ids } = organized([
      [400, 13],
      [400, 15],
      [400, null],
      [13, null],
    ]);
    expect([...(await people.ids())]).toEqual([ids[0], ids[3]]);
  });

  it('are looked up once in a minute, so many at once, and bots not at all', async () => {
    const { people, ids, bot, asked, time } = organized(Array.from({ length: 501 }, () => [1, 1] as const));
    expect((await people.ids()).size).toBe(ids.length);
    expect(asked.map(({ length }) => length)).toEqual([500, 1]);
    expect(asked.flat()).not.toContain(bot);
    time.at += 59_000;
    await people.ids();
    expect(asked).toHaveLength(2);
    time.at += 1_000;
    await people.ids();
    expect(asked).toHaveLength(4);
  });
});
