import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import { SealLog } from '../../src/audit/sealing/jobs.js';
import type { Finding, VerificationReport, KnownTreeHead } from '../../src/audit/verification/report.js';
import { verifyLog } from '../../src/audit/verification/verify-log.js';
import { openEmbeddedEventStore } from '../../src/stores/event-store/embedded/embedded-event-store.js';
import { inspectLogFile } from '../../src/stores/event-store/embedded/inspect-log-file.js';
import { commandIdOf } from '../../src/stores/event-store/event-id.js';
import { inspectStore } from '../../src/stores/event-store/inspection.js';
import type { EventTags } from '../../src/stores/event-store/tags/event-tags.js';
import type { EventStore, HeadOptions } from '../../src/stores/event-store/port.js';
import { eventCatalog } from '../../src/stores/event-catalog.js';
import type { DomainEvent } from '../../src/kernel/event.js';
import { MessageDeleted, MessageSent } from '../../src/events/messages.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
let folder: string;
/** A copy of the log, for each test to spoil. */
let file: string;
let at = Date.UTC(2026, 0, 1);
let tags: EventTags;

beforeAll(async () => {
  stores = await openTemporaryStores();
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-tampering-'));
  const sealing = new SealLog({
    log: stores.log,
    clock: { now: () => at },
    interval: { events: 4, milliseconds: 1e9 },
  });
  for (let number = 1; number <= 10; number += 1) {
    await append('messages', sent(`Said ${number}.`));
    if (number % 3 === 0)
      await append(`message-${number}`, {
        type: MessageDeleted.type,
        data: { ...MessageDeleted.example, messageId: number },
      });
    await sealing.perform();
  }
  await append('messages', sent('Not sealed yet.'));
  tags = stores.tags;
  tags.begin({ from: 0, key: tags.key });
  await stores.close();
});

beforeEach(async () => {
  file = join(folder, 'events.sqlite');
  for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
  const original = new Database(join(stores.directory, 'events.sqlite'));
  original.exec(`VACUUM INTO '${file}'`);
  original.close();
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(stores.directory, { recursive: true });
});

function sent(content: string): DomainEvent {
  return { type: MessageSent.type, data: { ...MessageSent.example, content } };
}

async function append(stream: string, event: DomainEvent): Promise<void> {
  at += 1000;
  const [last] = await stores.eventStore.readStream(stream, { direction: 'backwards', limit: 1 });
  const commandId = commandIdOf([stream, String(at)]);
  const metadata = { actorId: 3, commandId, causationId: null, client: 'test', at };
  await stores.log.append({ stream, expected: last?.revision ?? 'no-stream' }, [event], metadata);
}

async function verified(
  knownTreeHeads: readonly KnownTreeHead[] = [],
  passed: number | null = null,
): Promise<VerificationReport> {
  const inspection = inspectLogFile(file);
  try {
    return await verifyLog(inspection, { catalog: eventCatalog, codec: null, tags, knownTreeHeads, passed });
  } finally {
    await inspection.close();
  }
}

function spoil(...statements: readonly string[]): void {
  const database = new Database(file);
  statements.forEach((statement) => database.exec(statement));
  database.close();
}

/** Flips one bit of a column of an event, another one each time. */
function flipBit(column: string, position: number): () => void {
  const database = new Database(file);
  const read = database.prepare(`SELECT CAST(${column} AS BLOB) FROM events WHERE position = ?`).raw();
  const write = database.prepare(`UPDATE events SET ${column} = CAST(? AS TEXT) WHERE position = ?`);
  const [text] = read.get(position) as [Uint8Array];
  const spoiled = Buffer.from(text);
  const bit = randomInt(spoiled.length * 8);
  spoiled[bit >> 3]! ^= 1 << (bit & 7);
  write.run(spoiled, position);
  database.close();
  return () => {
    const mending = new Database(file);
    mending.prepare(`UPDATE events SET ${column} = CAST(? AS TEXT) WHERE position = ?`).run(text, position);
    mending.close();
  };
}

function brief({ kind, position }: Finding): string {
  return `${kind} ${position}`;
}

const swap = (one: number, other: number): string[] => [
  `UPDATE events SET position = -1 WHERE position = ${one}`,
  `UPDATE events SET position = ${one} WHERE position = ${other}`,
  `UPDATE events SET position = ${other} WHERE position = -1`,
];

describe('a log that nobody touched', () => {
  it('has no faults, and names the events that are not sealed yet', async () => {
    const report = await verified();
    expect(report).toMatchObject({ events: 17, seals: 3, findings: [] });
    expect(report.sealed).toBeGreaterThan(10);
    expect(report.sealed).toBeLessThan(17);
  });

  it('is the log that somebody vouched for', async () => {
    const { events: size, root } = await verified();
    expect((await verified([{ size, root }])).findings).toEqual([]);
  });
});

describe('a log whose store has system events', () => {
  it('has lost its end if a read model is ahead of all events, system events included', async () => {
    const log = openEmbeddedEventStore({ file, readOnly: true });
    const ends = { head: 17, systemHead: 20 };
    const store = {
      readAll: log.readAll.bind(log),
      head: ({ withSystemEvents = false }: HeadOptions = {}) =>
        Promise.resolve(withSystemEvents ? ends.systemHead : ends.head),
    } as EventStore;
    const found = async (passed: number): Promise<readonly Finding[]> => {
      const checking = { catalog: eventCatalog, codec: null, passed };
      return (await verifyLog(inspectStore(store), checking)).findings;
    };
    expect(await found(20)).toEqual([]);
    expect(await found(21)).toMatchObject([
      { kind: 'missing', message: expect.stringContaining('up to position 21: its last events are gone') },
    ]);
    await log.close();
  });
});

describe('tampering is found and located', () => {
  it.each([
    ['data', `UPDATE events SET data = replace(data, 'engines', 'enginez') WHERE position = 2`],
    ['metadata', `UPDATE events SET metadata = replace(metadata, 'test', 'tset') WHERE position = 2`],
    ['an id', `UPDATE events SET id = '00000000-0000-8000-8000-000000000000' WHERE position = 2`],
    ['a type', `UPDATE events SET type = 'MessageEdited' WHERE position = 2`],
  ])('in %s', async (_what, statement) => {
    spoil(statement);
    expect((await verified()).findings.map(brief)).toContain('hash 2');
  });

  it('in the spelling of JSON alone', async () => {
    spoil(`UPDATE events SET data = replace(data, '}', ' }') WHERE position = 2`);
    expect((await verified()).findings[0]).toMatchObject({ kind: 'damaged', position: 2 });
  });

  it('wherever a bit of an event was flipped', async () => {
    const columns = ['stream', 'id', 'type', 'data', 'metadata'] as const;
    for (let position = 1; position <= 17; position += 1) {
      for (const column of columns) {
        const undo = flipBit(column, position);
        const { findings } = await verified();
        expect({
          column,
          position,
          found: findings.some((finding) => finding.position === position),
        }).toEqual({
          column,
          position,
          found: true,
        });
        undo();
      }
    }
  });

  it('when an event was removed', async () => {
    spoil('DELETE FROM events WHERE position = 5');
    const report = await verified();
    expect(report.findings.map(brief)).toEqual(expect.arrayContaining(['missing 6']));
    expect(report.findings.filter(({ kind }) => kind === 'seal')).toHaveLength(1);
  });

  it('when an event was removed and the places of all others were made to fit', async () => {
    spoil(
      `DELETE FROM events WHERE stream = 'message-3'`,
      'UPDATE events SET position = -position WHERE position > 4',
      'UPDATE events SET position = -position - 1 WHERE position < 0',
    );
    const { findings } = await verified();
    expect(findings.map(({ kind }) => kind)).toEqual(['seal']);
    expect(findings[0]?.message).toContain('between the beginning and message-3@0');
  });

  it('when two events changed places', async () => {
    spoil(...swap(4, 5));
    const { findings } = await verified();
    expect(findings.map(({ kind }) => kind)).toContain('seal');
  });

  it('when an event was inserted', async () => {
    spoil(
      'DROP INDEX events_by_id',
      'UPDATE events SET position = -position WHERE position > 5',
      'UPDATE events SET position = 1 - position WHERE position < 0',
      `INSERT INTO events SELECT 6, 'message-2', 0, id, type, data, metadata FROM events WHERE stream = 'message-3'`,
    );
    const kinds = (await verified()).findings.map(brief);
    expect(kinds).toContain('hash 6');
    expect(kinds.some((kind) => kind.startsWith('seal'))).toBe(true);
  });

  it('when what a statement vouches for is gone from the end', async () => {
    const { events: size, root } = await verified();
    spoil('DELETE FROM events WHERE position = 17');
    const { findings } = await verified([{ size, root }]);
    expect(findings).toEqual([expect.objectContaining({ kind: 'statement', position: null })]);
  });

  it('when what a read model has passed is gone from the end', async () => {
    expect((await verified([], 17)).findings).toEqual([]);
    spoil('DELETE FROM events WHERE position = 17');
    expect((await verified([], 17)).findings).toEqual([
      expect.objectContaining({ kind: 'missing', position: null }),
    ]);
    spoil('DELETE FROM events');
    expect((await verified([], 17)).findings[0]?.message).toContain('the log is empty');
  });

  it('when what no seal covers yet is another than a statement vouches for', async () => {
    const { events: size, root } = await verified();
    spoil(
      `UPDATE events SET metadata = (SELECT metadata FROM events WHERE position = 16) WHERE position = 17`,
    );
    expect((await verified([{ size, root }])).findings.map(brief)).toContain('statement 17');
  });

  it('and each range between two seals is judged by itself', async () => {
    spoil(...swap(1, 2));
    expect((await verified()).findings.filter(({ kind }) => kind === 'seal')).toHaveLength(1);
  });
});
