import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beginTagging } from '../../src/audit/tagging/begin-tagging.js';
import { exportLog } from '../../src/audit/transfer/export-log.js';
import type { ExportedEvent } from '../../src/audit/transfer/format.js';
import { importLog } from '../../src/audit/transfer/import-log.js';
import { checkExport } from '../../src/audit/transfer/check-export.js';
import { UserRenamed } from '../../src/events/users.js';
import { eventHash } from '../../src/stores/event-store/event-hash.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import type { TagKey } from '../../src/stores/event-store/tags/event-tag.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

const clock = { now: () => Date.UTC(2026, 0, 1) };

let source: TemporaryStores;
let target: TemporaryStores;
let lines: readonly string[];

beforeAll(async () => {
  source = await openTemporaryStores();
  target = await openTemporaryStores();
  await source.vault.checkServerKey({ requireExisting: false });
  await beginTagging({ stores: source, clock });
  const metadata = { actorId: 3, commandId: randomCommandId(), causationId: null, client: 'test', at: 0 };
  const event = { type: UserRenamed.type, data: UserRenamed.example };
  await source.log.append({ stream: 'users', expected: 'no-stream' }, [event], metadata);
  lines = await exported();
});

afterAll(async () => {
  await source.dispose();
  await target.dispose();
});

async function exported(): Promise<readonly string[]> {
  const header = {
    format: 'palimpsest-log',
    version: 2,
    organization: 'Engines',
    exportedAt: '2026-01-01T00:00:00.000Z',
    keys: false,
    files: false,
  } as const;
  const { eventStore, keyStore, signingKey } = source;
  const written: string[] = [];
  for await (const line of exportLog({ eventStore, keyStore, files: null, header, signingKey }))
    written.push(JSON.stringify(line));
  return written;
}

const reading = (text: readonly string[]) => (): AsyncIterable<string> => Readable.from(text);

function checked(text: readonly string[], tagKeys: readonly TagKey[] | null): Promise<unknown> {
  return checkExport(reading(text), { tagKeys, onProgress: () => undefined });
}

/** The export with another event in the place of the last, whose hash is right. */
function forged(): readonly string[] {
  const at = lines.findLastIndex((line) => line.startsWith('{"event"'));
  const { event } = JSON.parse(lines[at]!) as { readonly event: ExportedEvent };
  const changed = { ...event, data: { ...event.data, userId: 800 } };
  const metadata = { ...changed.metadata, hash: eventHash(changed) };
  return lines.with(at, JSON.stringify({ event: { ...changed, metadata } }));
}

describe('the tags of an export', () => {
  it('are checked with the key of the server that it comes from, which must be given', async () => {
    await expect(checked(lines, [source.tags.key])).resolves.toMatchObject({ tagKeys: [source.tags.key.id] });
    await expect(checked(lines, [target.tags.key, source.tags.key])).resolves.toBeDefined();
    for (const keys of [[], [target.tags.key]])
      await expect(checked(lines, keys)).rejects.toThrow('name it with --source-key');
  });

  it('are missing on an event that somebody else wrote with its correct hash', async () => {
    await expect(checked(forged(), [source.tags.key])).rejects.toThrow(
      'does not carry the tag of the server that the export comes from',
    );
  });

  it('are looked at by nobody who vouches for the export', async () => {
    await expect(checked(lines, null)).resolves.toMatchObject({ tagKeys: [source.tags.key.id] });
  });

  it('make way for those of the server that takes it', async () => {
    await importLog(reading(lines), {
      ...target,
      tagKey: target.tags.key,
      appendsAtOnce: 1,
      missingKeys: 'erase',
      onProgress: () => undefined,
    });
    const [stored] = await target.eventStore.readStream('users', { limit: 1 });
    expect([target.tags.key.isWriterOf(stored!), source.tags.key.isWriterOf(stored!)]).toEqual([true, false]);
  });

  it('are given to nothing in a log that has gone on by itself, which is not empty', async () => {
    const other = await openTemporaryStores();
    const metadata = { actorId: 3, commandId: randomCommandId(), causationId: null, client: 'test', at: 0 };
    const event = { type: UserRenamed.type, data: UserRenamed.example };
    await other.log.append({ stream: 'users', expected: 'no-stream' }, [event], metadata);
    await expect(
      importLog(reading(lines), {
        ...other,
        tagKey: other.tags.key,
        appendsAtOnce: 1,
        missingKeys: 'erase',
        onProgress: () => undefined,
      }),
    ).rejects.toThrow('The log here is not empty, and its stream "users" is not that of the export');
    await other.dispose();
  });
});
