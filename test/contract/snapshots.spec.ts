import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { ReadStreamOptions } from '../../src/stores/event-store/port.js';
import { Snapshots, type SnapshotsOptions } from '../../src/stores/event-store/snapshots/snapshots.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { handle } from '../../src/kernel/handle.js';
import { ownerKeyId } from '../../src/stores/key-store/owner-keys.js';
import { loadServerKey } from '../../src/stores/key-store/server-key.js';
import { Vault } from '../../src/stores/key-store/vault.js';
import type { UserEvent } from '../../src/events/users.js';
import { userDirectoryFold, USERS_STREAM, type UserDirectory } from '../../src/contexts/users/users.state.js';
import { plainState } from '../support/plain-state.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

const minEvents = 10;
const secret = 'Quillfeather';
const users = { stream: USERS_STREAM, fold: userDirectoryFold };

let stores: TemporaryStores;
let warnings: string[];
let reads: ReadStreamOptions[];

beforeEach(async () => {
  stores = await openTemporaryStores();
  warnings = [];
  reads = [];
});

afterEach(() => stores.dispose());

/** What a process keeps in memory, from its start on. */
function started(options: Partial<SnapshotsOptions> = {}): {
  readonly streams: FoldedStreams;
  readonly snapshots: Snapshots;
} {
  const { log, vault } = stores;
  const watched: Pick<typeof log, 'appendTogether' | 'readStream' | 'repetitions'> = {
    repetitions: log.repetitions,
    appendTogether: (...input) => log.appendTogether(...input),
    readStream: (stream, read) => {
      reads.push(read);
      return log.readStream(stream, read);
    },
  };
  const snapshots = new Snapshots({
    directory: folder(),
    log: watched,
    vault,
    logger: { info: () => {}, warn: (_fields, message) => warnings.push(message) },
    now: () => 1_700_000_000_000,
    minEvents,
    ...options,
  });
  return { streams: new FoldedStreams(watched, { snapshots }), snapshots };
}

function folder(): string {
  return join(stores.directory, 'snapshots');
}

function metadata(commandId: string) {
  return { actorId: null, commandId, causationId: null, client: 'tests', at: 1_700_000_000_000 };
}

function registered(userId: number): UserEvent {
  const names = { email: `${secret}.${userId}@example.com`, fullName: `Ada ${secret} ${userId}` };
  const rest = { emailDigest: `digest ${userId}`, role: 400 as const, bot: null, awaitsFirstLogin: false };
  return { type: 'UserRegistered', data: { userId, ...names, ...rest } };
}

/** Registers people from one id to another, one after another. */
async function register(
  from: number,
  through: number,
  { log = stores.log, command = 'register' } = {},
): Promise<void> {
  for (let userId = from; userId <= through; userId += 1) {
    const expected = userId === 1 ? 'no-stream' : userId - 2;
    await log.append(
      { stream: USERS_STREAM, expected },
      [registered(userId)],
      metadata(`${command} ${userId}`),
    );
  }
}

/** What the log alone comes to. */
async function folded(): Promise<UserDirectory> {
  return (await new FoldedStreams(stores.log).load(users)).state;
}

/** Loads as a process does that has just started, and lets it end. */
async function loadAnew(options: Partial<SnapshotsOptions> = {}): Promise<UserDirectory> {
  reads = [];
  const { streams, snapshots } = started(options);
  const { state } = await streams.load(users);
  await snapshots.close();
  return state;
}

async function vaultOfAnotherProcess(): Promise<Vault> {
  const serverKey = await loadServerKey({ file: join(stores.directory, 'server.key') });
  return new Vault({ keyStore: stores.keyStore, serverKey });
}

async function onlyFile(): Promise<string> {
  const [name, ...others] = await readdir(folder());
  expect(others).toEqual([]);
  return join(folder(), name!);
}

/** Whether the last load began with a snapshot. */
function beganWithSnapshot(): boolean {
  return !reads.some(({ from }) => from === 0);
}

describe('a snapshot', () => {
  it('is completed with the events after it', async () => {
    await register(1, 12);
    await loadAnew();
    await register(13, 15);
    expect(plainState(await loadAnew())).toStrictEqual(plainState(await folded()));
    expect(beganWithSnapshot()).toBe(true);
  });

  it('is not made of a stream that is read quickly anyway, and not again before the stream has grown', async () => {
    await register(1, 9);
    await loadAnew();
    await expect(readdir(folder())).rejects.toThrow('ENOENT');
    await register(10, 12);
    await loadAnew();
    const first = await readFile(await onlyFile());
    await register(13, 20);
    await loadAnew();
    expect(await readFile(await onlyFile())).toEqual(first);
    await register(21, 24);
    await loadAnew();
    expect(await readFile(await onlyFile())).not.toEqual(first);
  });

  it('knows the last commands, so that one which is sent again is not decided again', async () => {
    await register(1, 12);
    await loadAnew();
    const { streams, snapshots } = started();
    const again = await handle<UserDirectory, RecordedEvent<UserEvent>, UserEvent>(streams, {
      ...users,
      decide: () => [registered(99)],
      metadata: metadata('register 12'),
    });
    expect(again).toMatchObject({ revision: 11, events: [{ data: { userId: 12 } }] });
    await snapshots.close();
  });

  it('may be removed at any time', async () => {
    await register(1, 12);
    await loadAnew();
    await rm(folder(), { recursive: true });
    expect(plainState(await loadAnew())).toStrictEqual(plainState(await folded()));
    expect(beganWithSnapshot()).toBe(false);
    await onlyFile();
  });
});

describe('an invalid snapshot of a stream is ignored and replaced:', () => {
  beforeEach(async () => {
    await register(1, 12);
    await loadAnew();
  });

  async function expectReplaced(): Promise<void> {
    expect(plainState(await loadAnew())).toStrictEqual(plainState(await folded()));
    expect(beganWithSnapshot()).toBe(false);
    await loadAnew();
    expect(beganWithSnapshot()).toBe(true);
  }

  it.each([
    ['in the header', 0.01],
    ['in the state', 0.7],
    ['at the end', 0.9999],
  ])('one with a changed bit %s', async (_where, place) => {
    const file = await onlyFile();
    const bytes = await readFile(file);
    bytes[Math.floor(bytes.length * place)]! ^= 1;
    await writeFile(file, bytes);
    await expectReplaced();
    expect(warnings).toEqual(['A snapshot is passed over']);
  });

  it.each([0, 1, 200, -1, -40])('one that is truncated at byte %i', async (length) => {
    const file = await onlyFile();
    await writeFile(file, (await readFile(file)).subarray(0, length));
    await expectReplaced();
  });

  it('one of another version of its fold', async () => {
    const { streams, snapshots } = started();
    const declaration = { name: userDirectoryFold.snapshot!.name, version: 1_000 };
    const changed = { ...userDirectoryFold, snapshot: declaration };
    expect(plainState((await streams.load({ ...users, fold: changed })).state)).toStrictEqual(
      plainState(await folded()),
    );
    expect(beganWithSnapshot()).toBe(false);
    await snapshots.close();
    await expectReplaced();
  });

  it.each([
    ['with other events', 'others', 'no-stream'],
    ['with the same events elsewhere', 'register', 'after something else'],
  ])('one of another log, %s, though encrypted with the same key', async (_what, command, beginning) => {
    const users = { stream: USERS_STREAM, fold: userDirectoryFold.snapshot! };
    expect((await started().snapshots.begin(users)).kept?.last.revision).toBe(11);
    const other = await openTemporaryStores();
    try {
      if (beginning !== 'no-stream') {
        await other.log.append(
          { stream: 'other', expected: 'no-stream' },
          [registered(50)],
          metadata('other'),
        );
      }
      await register(1, 12, { log: other.log, command });
      expect((await started({ log: other.log }).snapshots.begin(users)).kept).toBeNull();
    } finally {
      await other.dispose();
    }
  });

  it('one that a process did not finish writing', async () => {
    const file = await onlyFile();
    await rename(file, `${file}.0.partial`);
    await expectReplaced();
    await onlyFile();
  });
});

describe('a snapshot that cannot be written', () => {
  it('causes no other failure', async () => {
    await register(1, 12);
    await writeFile(folder(), 'in the way');
    expect(plainState(await loadAnew())).toStrictEqual(plainState(await folded()));
    expect(warnings).toContain('A snapshot could not be kept');
    await rm(folder());
    await mkdir(folder());
    await loadAnew();
    await onlyFile();
  });
});

describe('the personal data in snapshots', () => {
  it('is not in plain text', async () => {
    await register(1, 12);
    await loadAnew();
    const bytes = await readFile(await onlyFile());
    expect(bytes.includes('palimpsest-snapshot')).toBe(true);
    expect(bytes.includes(secret)).toBe(false);
  });

  it('is unreadable in every snapshot once a person is erased, also in old copies', async () => {
    await register(1, 12);
    await loadAnew();
    const copy = await readFile(await onlyFile());
    await stores.vault.destroy([ownerKeyId(7)]);
    expect((await loadAnew()).users.get(7)).toMatchObject({ fullName: 'Deleted user', isErased: true });
    expect(beganWithSnapshot()).toBe(false);
    const { keyId } = JSON.parse(copy.toString('utf8').split('\n')[0]!) as { readonly keyId: string };
    expect(await stores.vault.snapshotKey(keyId)).toBeNull();
    await writeFile(await onlyFile(), copy);
    expect((await loadAnew()).users.get(7)).toMatchObject({ fullName: 'Deleted user' });
    await loadAnew();
    expect(beganWithSnapshot()).toBe(true);
    expect(plainState(await loadAnew())).toStrictEqual(plainState(await folded()));
  });

  it('is not stored again by a process that still has it in memory', async () => {
    await register(1, 9);
    const { streams, snapshots } = started();
    expect((await streams.load(users)).state.users.get(7)?.fullName).toContain(secret);
    await (await vaultOfAnotherProcess()).destroy([ownerKeyId(7)]);
    await register(10, 14);
    expect((await streams.load(users)).state.users.get(7)?.fullName).toContain(secret);
    await snapshots.close();
    expect(await readdir(folder())).toEqual([]);
    expect((await loadAnew()).users.get(7)?.isErased).toBe(true);
    await loadAnew();
    expect(beganWithSnapshot()).toBe(true);
  });

  it('is made unreadable by a process that does not know of an erasure by another one', async () => {
    await register(1, 12);
    await stores.vault.snapshotKeyId();
    const other = await vaultOfAnotherProcess();
    await other.destroy([ownerKeyId(3)]);
    await loadAnew({ vault: other });
    const encrypted = await readFile(await onlyFile(), 'utf8');
    await stores.vault.destroy([ownerKeyId(7)]);
    const { keyId } = JSON.parse(encrypted.split('\n')[0]!) as { readonly keyId: string };
    expect(await other.snapshotKey(keyId)).toBeNull();
  });

  it('is not affected when a message is erased, because messages are not in snapshots', async () => {
    await register(1, 12);
    await loadAnew();
    await stores.vault.destroy(['a message']);
    await loadAnew();
    expect(beganWithSnapshot()).toBe(true);
  });
});
