import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import { LogChangedError, SealLog } from '../../src/audit/sealing/jobs.js';
import { beginTagging, TaggingUnknownError } from '../../src/audit/tagging/begin-tagging.js';
import { EventTags } from '../../src/stores/event-store/tags/event-tags.js';
import { expand } from '../../src/stores/event-store/embedded/shorthand.js';
import { UntaggedEventError } from '../../src/stores/event-store/codec-errors.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import type { PersistedEvent } from '../../src/stores/event-store/port.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { MessageSent } from '../../src/events/messages.js';
import { rotateServerKey } from '../../src/operations/rotate-server-key.js';
import { KeyRotationUnfinishedError } from '../../src/stores/open-log.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
let at = Date.UTC(2026, 0, 1);
const clock = { now: () => at };

beforeEach(async () => {
  stores = await openTemporaryStores();
  await stores.vault.checkServerKey({ requireExisting: false });
});

afterEach(() => stores.dispose());

async function send(content: string): Promise<void> {
  at += 1_000;
  const metadata = { actorId: 3, commandId: randomCommandId(at), causationId: null, client: 'test', at };
  const sent = { type: MessageSent.type, data: { ...MessageSent.example, content } };
  await stores.log.append({ stream: 'messages', expected: 'any' }, [sent], metadata);
}

const messages = (): Promise<readonly RecordedEvent[]> => stores.log.readStream('messages', { limit: 100 });

async function everything(): Promise<readonly PersistedEvent[]> {
  const found: PersistedEvent[] = [];
  for await (const { events } of stores.eventStore.readAll({ after: null })) found.push(...events);
  return found;
}

async function restart(
  change: (database: Database.Database, keys: Database.Database) => void,
): Promise<void> {
  const events = new Database(join(stores.directory, 'events.sqlite'));
  const keys = new Database(join(stores.directory, 'keys.sqlite'));
  await stores.eventStore.close();
  change(events, keys);
  events.close();
  keys.close();
  stores = await stores.reopen();
}

/** Rewrites the metadata of events, as JSON that is not shortened. */
function rewrite(
  events: Database.Database,
  where: string,
  change: (metadata: Record<string, unknown>) => Record<string, unknown>,
): void {
  const rows = events.prepare(`SELECT id, metadata FROM events WHERE ${where}`).raw().all() as [
    string,
    string,
  ][];
  for (const [id, text] of rows) {
    const metadata = change(JSON.parse(expand(text, id)) as Record<string, unknown>);
    events.prepare('UPDATE events SET metadata = ? WHERE id = ?').run(JSON.stringify(metadata), id);
  }
}

/** Takes the tags off events. */
function strip(events: Database.Database, where = 'true'): void {
  rewrite(events, where, ({ tag: _tag, ...metadata }) => metadata);
}

function sealing(): SealLog {
  const { log, signingKey, headRecords, tags } = stores;
  const authority = { signingKey, headRecords, tagKey: tags.key };
  return new SealLog({ log, clock, interval: { events: 1, milliseconds: 0 }, authority });
}

describe('a log', () => {
  it('has tags from its first event on where it is new', async () => {
    await send('First.');
    await beginTagging({ stores, clock });
    expect(stores.tags.ranges).toMatchObject([{ from: 1 }]);
    await restart((events) => strip(events, 'position = 1'));
    await expect(messages()).rejects.toThrow(UntaggedEventError);
  });

  it('that an earlier version wrote has them from then on, and is read as before', async () => {
    await send('Old.');
    await restart((events) => {
      strip(events);
      events.exec('DELETE FROM log_end');
    });
    await beginTagging({ stores, clock });
    await send('New.');
    expect((await messages()).map(({ data }) => (data as { content: string }).content)).toEqual([
      'Old.',
      'New.',
    ]);
    await restart((events) => strip(events, "stream = 'messages' AND revision = 1"));
    await expect(messages()).rejects.toThrow(/messages@1 at position 3 does not carry this server’s tag/);
  });

  it('begins its tags once, however often it is started', async () => {
    await beginTagging({ stores, clock });
    await restart(() => undefined);
    await beginTagging({ stores, clock });
    expect((await everything()).map(({ type }) => type)).toEqual(['TaggingStarted']);
  });

  it('begins its tags once, also when another node begins them between what this one reads and writes', async () => {
    await send('First.');
    const eventStore = new Proxy(stores.eventStore, {
      get(store, name) {
        if (name !== 'readAll') return Reflect.get(store, name) as unknown;
        return async function* (...range: Parameters<typeof store.readAll>) {
          await beginTagging({ stores, clock });
          yield* store.readAll(...range);
        };
      },
    });
    const { log, vault, tags, tagSources, headRecords } = stores;
    const slower = { log, eventStore, vault, tags: new EventTags(tags.key), tagSources, headRecords };
    await beginTagging({ stores: slower, clock });
    expect((await everything()).map(({ type }) => type)).toEqual(['MessageSent', 'TaggingStarted']);
  });

  it('from which all tags were removed is not taken for one of an earlier version', async () => {
    await send('First.');
    await beginTagging({ stores, clock });
    await restart((events) => {
      events.exec("DELETE FROM events WHERE stream = 'tags'; DELETE FROM log_end");
      strip(events);
    });
    await expect(messages()).rejects.toThrow(UntaggedEventError);
    await expect(beginTagging({ stores, clock })).rejects.toThrow(TaggingUnknownError);
  });

  it('cannot be made to look like one by the key store either', async () => {
    await beginTagging({ stores, clock });
    await restart((_events, keys) => keys.exec(`DELETE FROM keys WHERE id LIKE 'server-key-check%'`));
    await expect(stores.vault.checkServerKey({ requireExisting: true })).rejects.toThrow(
      'restore keys.sqlite',
    );
  });

  it('refuses an id that an event has, in every stream', async () => {
    await send('First.');
    const [{ id, type, data, metadata }] = (await everything()) as [PersistedEvent];
    const again = stores.eventStore.append('messages', 0, [{ id, type, data, metadata }]);
    await expect(again).rejects.toThrow('is at revision 0, not 0');
    expect(await everything()).toHaveLength(1);
  });
});

describe('sealing', () => {
  beforeEach(async () => {
    await beginTagging({ stores, clock });
    for (const content of ['One.', 'Two.', 'Three.']) await send(content);
  });

  it('signs an intact log', async () => {
    await sealing().perform();
    const seal = (await everything()).at(-1)!;
    expect(seal.data).toMatchObject({ size: 4, signature: { publicKey: expect.any(String) } });
  });

  it('refuses a log from whose middle events were removed, though all positions were adjusted', async () => {
    await restart((events) => {
      events.exec(`DELETE FROM events WHERE stream = 'messages' AND revision = 1`);
      events.exec(`UPDATE events SET revision = 1, position = 3 WHERE stream = 'messages' AND revision = 2`);
    });
    await expect(sealing().perform()).rejects.toThrow(LogChangedError);
    // What follows does not heal it.
    await send('Four.');
    await expect(sealing().perform()).rejects.toThrow(LogChangedError);
  });

  it('does not create a missing record again', async () => {
    await restart((events) => events.exec('DELETE FROM log_end'));
    await send('Four.');
    expect(await stores.headRecords.read()).toBeNull();
  });
});

describe('a change of the server’s key', () => {
  const rotate = (onProgress: (keys: number) => void = () => undefined): Promise<number> => {
    const { directory } = stores;
    const configuration = {
      dataDirectory: directory,
      eventStoreUrl: null,
      mongodbUrl: null,
      serverKeyFile: join(directory, 'server.key'),
    };
    return rotateServerKey({ configuration, at, onProgress });
  };

  beforeEach(async () => {
    await beginTagging({ stores, clock });
    await send('Before.');
  });

  it('leaves everything readable, and later writes use the new key', async () => {
    const digest = stores.vault.emailDigest('ada@example.com');
    const former = stores.tags.key.id;
    await stores.close();
    expect(await rotate()).toBeGreaterThan(0);
    stores = await stores.reopen();
    await stores.vault.checkServerKey({ requireExisting: true });
    await beginTagging({ stores, clock });
    await send('After.');
    expect(stores.tags.key.id).not.toBe(former);
    expect(stores.tags.ranges.map(({ key }) => key.id)).toEqual([former, stores.tags.key.id]);
    expect((await messages()).map(({ data }) => (data as { content: string }).content)).toEqual([
      'Before.',
      'After.',
    ]);
    expect(stores.vault.emailDigest('ada@example.com')).toBe(digest);
    await sealing().perform();
  });

  it('refuses later events with tags of the former key', async () => {
    const { key } = stores.tags;
    await stores.close();
    await rotate();
    stores = await stores.reopen();
    await send('After.');
    await restart((events) => {
      rewrite(events, "stream = 'messages' AND revision = 1", (metadata) => ({
        ...metadata,
        tag: key.tagOf({ hash: metadata['hash'] as string, revision: null }),
      }));
    });
    await expect(messages()).rejects.toThrow(UntaggedEventError);
  });

  it('that was interrupted prevents every start, and is completed when it is run again', async () => {
    await stores.close();
    const cutOff = (): void => {
      throw new Error('cut off');
    };
    await expect(rotate(cutOff)).rejects.toThrow('cut off');
    await expect(stores.reopen()).rejects.toThrow(KeyRotationUnfinishedError);
    await rotate();
    stores = await stores.reopen();
    expect(await messages()).toHaveLength(1);
  });
});
