import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import Database from 'libsql';
import { SealLog } from '../../src/audit/sealing/jobs.js';
import { beginTagging } from '../../src/audit/tagging/begin-tagging.js';
import { readRecordedEnd } from '../../src/audit/verification/recorded-end.js';
import type { Finding } from '../../src/audit/verification/report.js';
import { verifyLog } from '../../src/audit/verification/verify-log.js';
import { openEmbeddedEventStore } from '../../src/stores/event-store/embedded/embedded-event-store.js';
import { inspectLogFile } from '../../src/stores/event-store/embedded/inspect-log-file.js';
import { eventHash } from '../../src/stores/event-store/event-hash.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import type { HeadRecords } from '../../src/stores/event-store/head-record.js';
import { inspectStore, type LogInspection } from '../../src/stores/event-store/inspection.js';
import type { EventPage, EventStore, PersistedEvent } from '../../src/stores/event-store/port.js';
import { eventCatalog } from '../../src/stores/event-catalog.js';
import type { DomainEvent } from '../../src/kernel/event.js';
import { MessageDeleted, MessageSent } from '../../src/events/messages.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

/** What somebody does who can write the log, knows its format, and lacks the server's key. */
type Change =
  | {
      readonly kind: 'change';
      readonly at: number;
      readonly what: 'data' | 'metadata' | 'id' | 'type' | 'stream';
    }
  | {
      readonly kind: 'insert';
      readonly at: number;
      /** Which event it is made after; null: it gives somebody a role. */
      readonly like: number | null;
      /** Whether it carries a tag that the server made for another event. */
      readonly tagged: boolean;
    }
  | { readonly kind: 'repeat'; readonly of: number; readonly at: number; readonly freshId: boolean }
  | { readonly kind: 'remove'; readonly at: number; readonly count: number }
  | { readonly kind: 'swap'; readonly one: number; readonly other: number };

const SEALED = 14;
const TAIL = 22;

const inTail = fc.nat({ max: TAIL - 1 });
const anywhere = fc.nat({ max: SEALED + TAIL - 1 });
const kinds = {
  change: fc.record({
    kind: fc.constant('change' as const),
    at: inTail,
    what: fc.constantFrom('data', 'metadata', 'id', 'type', 'stream'),
  }),
  insert: fc.record({
    kind: fc.constant('insert' as const),
    at: inTail,
    like: fc.option(anywhere, { nil: null }),
    tagged: fc.boolean(),
  }),
  repeat: fc.record({
    kind: fc.constant('repeat' as const),
    of: anywhere,
    at: inTail,
    freshId: fc.boolean(),
  }),
  remove: fc.record({
    kind: fc.constant('remove' as const),
    at: inTail,
    count: fc.integer({ min: 1, max: 4 }),
  }),
  swap: fc.record({ kind: fc.constant('swap' as const), one: inTail, other: inTail }),
} satisfies { readonly [Kind in Change['kind']]: fc.Arbitrary<Change> };

/** How often each is tried on each of the two kinds of stores: 1,000 times in all, each alone, so that no other gives it away. */
const alone = { change: 125, insert: 125, repeat: 125, remove: 125, swap: 50 } as const;
const attempts = Object.entries(alone) as readonly [keyof typeof alone, number][];
const severalAtOnce = fc.array(fc.oneof(...Object.values(kinds)), { minLength: 2, maxLength: 3 });

let stores: TemporaryStores;
let folder: string;
let file: string;
let honest: readonly PersistedEvent[];
let at = Date.UTC(2026, 0, 1);
const clock = { now: () => at };

beforeAll(async () => {
  stores = await openTemporaryStores();
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-tampering-'));
  file = join(folder, 'events.sqlite');
  await stores.vault.checkServerKey({ requireExisting: false });
  await beginTagging({ stores, clock });
  for (let number = 1; number < SEALED; number += 1) await appendSome(number);
  const { signingKey, headRecords, tags, log } = stores;
  const authority = { signingKey, headRecords, tagKey: tags.key };
  await new SealLog({ log, clock, interval: { events: 1, milliseconds: 0 }, authority }).perform();
  for (let number = SEALED; number < SEALED + TAIL; number += 1) await appendSome(number);
  honest = await eventsOf(stores.eventStore);
});

afterAll(async () => {
  await stores.dispose();
  await rm(folder, { recursive: true });
});

/** Mostly messages, whose revisions the store gives, and now and then something at an exact one. */
async function appendSome(number: number): Promise<void> {
  const event: DomainEvent =
    number % 4 === 0
      ? { type: MessageDeleted.type, data: { ...MessageDeleted.example, messageId: number } }
      : { type: MessageSent.type, data: { ...MessageSent.example, content: `Said ${number}.` } };
  at += 1_000;
  const metadata = { actorId: 3, commandId: randomCommandId(at), causationId: null, client: 'test', at };
  const place =
    number % 4 === 0
      ? ({ stream: `message-${number}`, expected: 'no-stream' } as const)
      : ({ stream: 'messages', expected: 'any' } as const);
  await stores.log.append(place, [event], metadata);
}

async function eventsOf(store: EventStore): Promise<readonly PersistedEvent[]> {
  const found: PersistedEvent[] = [];
  for await (const { events } of store.readAll({ after: null })) found.push(...events);
  return found;
}

/** The log after the change, with every place and every public hash made to fit. */
function tampered(changes: readonly Change[]): readonly PersistedEvent[] {
  const events = [...honest];
  for (const one of changes) apply(one, events);
  return placedAnew(events);
}

function apply(one: Change, events: PersistedEvent[]): void {
  const first = honest.length - TAIL;
  const index = (offset: number): number => Math.min(first + offset, events.length - 1);
  switch (one.kind) {
    case 'change':
      events[index(one.at)] = changed(events[index(one.at)]!, one.what);
      return;
    case 'insert':
      events.splice(index(one.at), 0, forged(one));
      return;
    case 'repeat': {
      const original = honest[one.of]!;
      const id = one.freshId ? crypto.randomUUID() : original.id;
      events.splice(index(one.at), 0, rehashed({ ...original, id }));
      return;
    }
    case 'remove':
      events.splice(index(one.at), one.count);
      return;
    case 'swap': {
      const [left, right] = [index(one.one), index(one.other)];
      [events[left], events[right]] = [events[right]!, events[left]!];
    }
  }
}

function changed(event: PersistedEvent, what: Extract<Change, { kind: 'change' }>['what']): PersistedEvent {
  switch (what) {
    case 'data':
      return rehashed({ ...event, data: { ...event.data, senderId: 800 } });
    case 'metadata':
      return rehashed({ ...event, metadata: { ...event.metadata, actorId: 8 } });
    case 'id':
      return rehashed({ ...event, id: crypto.randomUUID() });
    case 'type':
      return rehashed({ ...event, type: 'UserRoleChanged' });
    case 'stream':
      return rehashed({ ...event, stream: 'users' });
  }
}

function forged({ like, tagged }: Extract<Change, { kind: 'insert' }>): PersistedEvent {
  const { tag } = honest[like ?? 5]!.metadata;
  const metadata = {
    ...{
      actorId: 3,
      commandId: crypto.randomUUID(),
      causationId: null,
      client: 'test',
      at,
      schemaVersion: 1,
    },
    ...(tagged && { tag: tag! }),
  };
  if (like !== null) {
    const event = honest[like]!;
    return rehashed({
      ...event,
      id: crypto.randomUUID(),
      metadata: { ...metadata, actorId: event.metadata.actorId! },
    });
  }
  const data = { userId: 3, role: 100 };
  const place = { stream: 'users', revision: 0, position: 0 };
  return rehashed({ id: crypto.randomUUID(), type: 'UserRoleChanged', data, metadata, ...place });
}

function rehashed(event: PersistedEvent): PersistedEvent {
  return { ...event, metadata: { ...event.metadata, hash: eventHash(event) } };
}

/** Positions and revisions without a gap, as nobody would notice. */
function placedAnew(events: readonly PersistedEvent[]): readonly PersistedEvent[] {
  const revisions = new Map<string, number>();
  return events.map((event, index) => {
    const revision = revisions.get(event.stream) ?? 0;
    revisions.set(event.stream, revision + 1);
    return { ...event, revision, position: index + 1 };
  });
}

function isSame(events: readonly PersistedEvent[]): boolean {
  return JSON.stringify(events) === JSON.stringify(honest);
}

function writeFileOf(events: readonly PersistedEvent[]): void {
  const database = new Database(file);
  database.exec('DROP INDEX IF EXISTS events_by_id');
  database.exec('DELETE FROM events');
  const insert = database.prepare(
    'INSERT INTO events (position, stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  database.exec('BEGIN');
  for (const { position, stream, revision, id, type, data, metadata } of events)
    insert.run(position, stream, revision, id, type, JSON.stringify(data), JSON.stringify(metadata));
  database.exec('COMMIT');
  database.close();
}

async function findingsIn(
  inspection: LogInspection,
  records: { readonly headRecords: HeadRecords; readonly eventStore: Pick<EventStore, 'head'> },
): Promise<readonly Finding[]> {
  const { tags } = stores;
  const recordedEnd = await readRecordedEnd({ ...records, tagKey: tags.key, isTagged: true });
  const checking = { catalog: eventCatalog, codec: null, tags, recordedEnd };
  return (await verifyLog(inspection, checking)).findings;
}

/** Verifies a log that holds just these events. */
type Verifying = (events: readonly PersistedEvent[]) => Promise<readonly Finding[]>;

/** Every change is found, of each kind alone, and several at once. */
function findsAll(verifying: () => Verifying): void {
  const found = async (changes: readonly Change[]): Promise<void> => {
    const events = tampered(changes);
    fc.pre(!isSame(events));
    expect(await verifying()(events)).not.toEqual([]);
  };

  it('and finds nothing where nothing was changed', async () => {
    expect(await verifying()(honest)).toEqual([]);
  });

  it.each(attempts)(
    'by one %s, %i times',
    async (kind, numRuns) => {
      const one: fc.Arbitrary<Change> = kinds[kind];
      await fc.assert(
        fc.asyncProperty(one, (made) => found([made])),
        { numRuns, endOnFailure: true },
      );
    },
    300_000,
  );

  it('by several at once', async () => {
    await fc.assert(fc.asyncProperty(severalAtOnce, found), { numRuns: 100, endOnFailure: true });
  });
}

describe('a change of the end of a log without the server’s key is found in the embedded store’s file', () => {
  beforeAll(async () => {
    await stores.eventStore.head();
    const original = new Database(join(stores.directory, 'events.sqlite'));
    original.exec(`VACUUM INTO '${file}'`);
    original.close();
  });

  findsAll(() => async (events) => {
    writeFileOf(events);
    const inspection = inspectLogFile(file);
    const eventStore = openEmbeddedEventStore({ file, readOnly: true });
    try {
      return await findingsIn(inspection, { headRecords: eventStore.headRecords, eventStore });
    } finally {
      await eventStore.close();
      await inspection.close();
    }
  });
});

describe('whoever changes the end of a log without the server’s key is found through the port of a store with a record elsewhere', () => {
  let headRecords: HeadRecords;

  beforeAll(async () => {
    const record = await stores.headRecords.read();
    headRecords = {
      isExact: false,
      read: () => Promise.resolve(record),
      write: () => Promise.reject(new Error('Nobody writes it here')),
    };
  });

  findsAll(() => (events) => {
    const eventStore = storeOf(events);
    return findingsIn(inspectStore(eventStore), { headRecords, eventStore });
  });
});

describe('where only the very end is gone and nothing is ahead of it', () => {
  it('the report says up to which event it speaks', async () => {
    const events = honest.slice(0, -3);
    const checking = { catalog: eventCatalog, codec: null, tags: stores.tags };
    const report = await verifyLog(inspectStore(storeOf(events)), checking);
    const { stream, revision } = events.at(-1)!;
    expect(report).toMatchObject({ findings: [], last: `${stream}@${revision}` });
  });
});

/** A store that holds just these events. */
function storeOf(events: readonly PersistedEvent[]): EventStore {
  const page: EventPage = { events, position: events.length, live: true };
  return {
    ...stores.eventStore,
    readAll: async function* () {
      yield page;
    },
    head: () => Promise.resolve(events.at(-1)?.position ?? null),
  };
}
