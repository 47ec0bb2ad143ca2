import { mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decideGatewayBot } from '../../src/contexts/channel-mail/gateway-bot.decide.js';
import { EventLog, type Appended } from '../../src/stores/event-store/event-log.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { ExpectedRevision } from '../../src/stores/event-store/port.js';
import type { DomainEvent, EventMetadata } from '../../src/kernel/event.js';
import { bootstrapOrganization } from '../../src/node/bootstrap.js';
import { systemGroupIds } from '../../src/events/values/organization-defaults.js';
import { NoOwnerError, provideOwnerKey, resetOwnerKey } from '../../src/node/owner-key.js';
import { apiKeyDigest } from '../../src/contexts/users/api-keys.js';
import { groupDirectoryFold } from '../../src/contexts/users/user-groups.state.js';
import { userDirectoryFold } from '../../src/contexts/users/users.state.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

const clock = { now: () => 1_750_000_000_000 };
const site = 'http://127.0.0.1:9991';
const named = { organizationName: 'Engines', ownerEmail: 'ada@example.com', ownerName: 'Ada' };

let stores: TemporaryStores;

beforeEach(async () => {
  stores = await openTemporaryStores();
});

afterEach(() => stores.dispose());

const bootstrap = (log: EventLog = stores.log, configuration = named): Promise<void> =>
  bootstrapOrganization({ configuration, stores: { log, vault: stores.vault }, clock });

const ownerKey = (): Parameters<typeof provideOwnerKey>[0] => ({
  configuration: { dataDirectory: stores.directory },
  stores,
  clock,
});

async function streamTypes(): Promise<string[]> {
  const types: string[] = [];
  for await (const page of stores.eventStore.readAll({ after: null })) {
    types.push(...page.events.map(({ stream, type }) => `${stream} ${type}`));
  }
  return types;
}

const everything = [
  'organization OrganizationCreated',
  ...Array.from({ length: 8 }, () => 'groups UserGroupCreated'),
  ...Array.from({ length: 4 }, () => 'users UserRegistered'),
];

async function liveKeyInFile(): Promise<string> {
  const text = await readFile(join(stores.directory, 'owner.zuliprc'), 'utf8');
  const key = /^key=(.*)$/m.exec(text)?.[1] ?? '';
  return (await stores.credentialStore.findApiKey(apiKeyDigest(key))) === null ? 'dead' : 'live';
}

describe('the first start', () => {
  it('makes the organization, its system groups, the server’s bots and the owner', async () => {
    await bootstrap();
    expect(await streamTypes()).toEqual(everything);
    const streams = new FoldedStreams(stores.log);
    const { state: groups } = await streams.load({ stream: 'groups', fold: groupDirectoryFold });
    expect([...groups.groups.values()].map(({ id }) => id).sort()).toEqual(
      Object.values(systemGroupIds).sort(),
    );
    const { state: users } = await streams.load({ stream: 'users', fold: userDirectoryFold });
    expect(users.users.get(1)).toMatchObject({
      email: 'notification-bot@zulip.com',
      bot: { isSystem: true },
    });
    expect(users.users.get(2)).toMatchObject({ email: 'welcome-bot@zulip.com', bot: { isSystem: true } });
    expect(users.users.get(3)).toMatchObject({
      email: 'ada@example.com',
      fullName: 'Ada',
      role: 100,
      bot: null,
    });
    expect(users.idsByEmailDigest.get(stores.vault.emailDigest('ADA@example.com'))).toBe(3);
    expect(users.users.get(4)).toMatchObject({
      email: 'emailgateway@zulip.com',
      bot: { isSystem: true },
    });
    expect(decideGatewayBot(users, stores.vault.emailDigest('emailgateway@zulip.com'))).toEqual([]);
  });

  it('changes nothing when it is repeated, also with another configuration', async () => {
    await bootstrap();
    await bootstrap(stores.log, { ...named, ownerEmail: 'other@example.com' });
    expect(await streamTypes()).toEqual(everything);
  });

  it('makes one organization when many nodes start at once', async () => {
    const nodes = Array.from({ length: 6 }, (_, node) =>
      bootstrap(stores.log, { ...named, ownerEmail: `owner${node}@example.com` }),
    );
    await Promise.all(nodes);
    expect(await streamTypes()).toEqual(everything);
  });

  it.each([0, 1, 2])('is finished by the next one after a crash behind %i appends', async (appends) => {
    await expect(bootstrap(new DyingLog(stores, appends))).rejects.toThrow('power cut');
    await bootstrap();
    expect(await streamTypes()).toEqual(everything);
  });
});

/** A log whose process dies at an append, after a number of appends. */
class DyingLog extends EventLog {
  constructor(
    { eventStore, codec }: TemporaryStores,
    private left: number,
  ) {
    super(eventStore, codec);
  }

  override async append<Event extends DomainEvent>(
    target: { readonly stream: string; readonly expected: ExpectedRevision },
    events: readonly Event[],
    metadata: EventMetadata,
  ): Promise<Appended<Event>> {
    if (this.left === 0) throw new Error('power cut');
    this.left -= 1;
    return super.append(target, events, metadata);
  }
}

describe('the owner’s key', () => {
  it('is written to a file that clients read and nobody else can', async () => {
    await bootstrap();
    await provideOwnerKey(ownerKey(), site);
    const file = join(stores.directory, 'owner.zuliprc');
    expect(await readFile(file, 'utf8')).toMatch(
      /^\[api\]\nemail=ada@example\.com\nkey=[A-Za-z0-9]{32}\nsite=http:\/\/127\.0\.0\.1:9991\n$/,
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await liveKeyInFile()).toBe('live');
  });

  it('is given once', async () => {
    await bootstrap();
    await provideOwnerKey(ownerKey(), site);
    const before = await stores.credentialStore.apiKeys(3);
    await provideOwnerKey(ownerKey(), site);
    expect(await stores.credentialStore.apiKeys(3)).toEqual(before);
  });

  it('is given by the next start when this one dies before the key is live', async () => {
    await bootstrap();
    const dying = Object.create(stores.credentialStore, {
      addApiKey: { value: () => Promise.reject(new Error('power cut')) },
    }) as typeof stores.credentialStore;
    const options = { ...ownerKey(), stores: { log: stores.log, credentialStore: dying } };
    await expect(provideOwnerKey(options, site)).rejects.toThrow('power cut');
    expect(await liveKeyInFile()).toBe('dead');
    await provideOwnerKey(ownerKey(), site);
    expect(await liveKeyInFile()).toBe('live');
  });

  it('is given though an earlier start left half a file behind', async () => {
    await bootstrap();
    await writeFile(join(stores.directory, 'owner.zuliprc.new'), '[api]\nem');
    await provideOwnerKey(ownerKey(), site);
    expect(await liveKeyInFile()).toBe('live');
  });

  it('replaces every other when it is reset, and the log tells', async () => {
    await bootstrap();
    await provideOwnerKey(ownerKey(), site);
    const [old] = await stores.credentialStore.apiKeys(3);
    await resetOwnerKey(ownerKey(), site);
    expect(await liveKeyInFile()).toBe('live');
    const keys = await stores.credentialStore.apiKeys(3);
    expect(keys.map(({ digest }) => digest)).not.toContain(old?.digest);
    expect(keys).toHaveLength(1);
    expect((await streamTypes()).at(-1)).toBe('users ApiKeyRegenerated');
    expect(await streamTypes()).toContain('security-3 ApiKeyIssued');
  });

  it('is put in place by the next start when a reset dies with its key live already', async () => {
    await bootstrap();
    await provideOwnerKey(ownerKey(), site);
    const file = join(stores.directory, 'owner.zuliprc');
    await rm(file);
    await mkdir(file);
    await expect(resetOwnerKey(ownerKey(), site)).rejects.toThrow('EISDIR');
    await rmdir(file);
    await provideOwnerKey(ownerKey(), site);
    expect(await liveKeyInFile()).toBe('live');
    expect((await streamTypes()).filter((type) => type === 'users ApiKeyRegenerated')).toHaveLength(1);
  });

  it('can be reset for nobody before there is an owner', async () => {
    await expect(resetOwnerKey(ownerKey(), site)).rejects.toThrow(NoOwnerError);
  });

  it('stands nowhere in the data directory but in the file', async () => {
    await bootstrap();
    await provideOwnerKey(ownerKey(), site);
    const key = /key=(.*)/.exec(await readFile(join(stores.directory, 'owner.zuliprc'), 'utf8'))?.[1] ?? '';
    for (const file of [
      'events.sqlite',
      'events.sqlite-wal',
      'credentials.sqlite',
      'credentials.sqlite-wal',
    ]) {
      const bytes = await readFile(join(stores.directory, file)).catch(() => Buffer.alloc(0));
      expect(bytes.includes(key)).toBe(false);
    }
  });
});
