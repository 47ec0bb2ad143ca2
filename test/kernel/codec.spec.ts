import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { EventCatalog } from '../../src/stores/event-store/catalog.js';
import { EventCodec } from '../../src/stores/event-store/codec.js';
import { InvalidEventError, UnreadableEventError } from '../../src/stores/event-store/codec-errors.js';
import { openEmbeddedEventStore } from '../../src/stores/event-store/embedded/embedded-event-store.js';
import { verifyEventHash } from '../../src/stores/event-store/event-hash.js';
import { eventId } from '../../src/stores/event-store/event-id.js';
import {
  AppendTooLargeError,
  type PersistedEvent,
  type StoredEvent,
} from '../../src/stores/event-store/port.js';
import { defineEvent, type DomainEvent, type EventMetadata } from '../../src/kernel/event.js';
import { openEmbeddedKeyStore } from '../../src/stores/key-store/embedded/embedded-key-store.js';
import type { KeyStore } from '../../src/stores/key-store/port.js';
import { RecordDecryptionError, Vault } from '../../src/stores/key-store/vault.js';
import { countingTurns } from '../support/turns.js';
import { MemoryKeyStore } from './memory-key-store.js';

const LetterSent = defineEvent({
  type: 'LetterSent',
  description: 'Somebody wrote a letter.',
  schema: z.strictObject({
    authorId: z.number().int(),
    topic: z.string(),
    text: z.string(),
    note: z.string().optional(),
  }),
  erasable: {
    fields: ['text', 'note'],
    owner: (data) => data.authorId,
    placeholder: { text: '(erased)' },
  },
  example: { authorId: 3, topic: 'engines', text: 'Dear Charles' },
});

const LetterCorrected = defineEvent({
  type: 'LetterCorrected',
  description: 'Its author corrected a letter.',
  schema: z.strictObject({ authorId: z.number().int(), letterKey: z.string(), text: z.string() }),
  erasable: {
    fields: ['text'],
    owner: (data) => data.authorId,
    key: (data) => data.letterKey,
    placeholder: { text: '(erased)' },
  },
  example: { authorId: 3, letterKey: randomUUID(), text: 'Dear Mr Babbage' },
});

const ShelfNamed = defineEvent({
  type: 'ShelfNamed',
  description: 'A shelf got its name.',
  schema: z.strictObject({ name: z.string(), size: z.number() }),
  example: { name: 'A to F', size: 3 },
});

const catalog = new EventCatalog([LetterSent, LetterCorrected, ShelfNamed]);
const key = () => createSecretKey(randomBytes(32));
const serverKey = { wrapping: key(), lookup: key(), credentials: key(), links: key() };

let vault: Vault;
let codec: EventCodec;
let metadata: EventMetadata;
beforeEach(() => use(new MemoryKeyStore()));

function use(keyStore: KeyStore): void {
  vault = new Vault({ keyStore, serverKey });
  codec = new EventCodec(catalog, vault);
  metadata = {
    actorId: 3,
    commandId: randomUUID(),
    causationId: null,
    client: 'tests',
    at: 1_700_000_000_123,
  };
}

function letter(text: string, fields: object = {}): DomainEvent {
  return { type: 'LetterSent', data: { authorId: 3, topic: 'engines', text, ...fields } };
}

const shelf: DomainEvent = { type: 'ShelfNamed', data: { name: 'A to F', size: 0.1 } };

async function encoded(events: readonly DomainEvent[]): Promise<PersistedEvent[]> {
  const stored = await codec.encode({ stream: 'letters', expected: 'any' }, events, {
    ...metadata,
    commandId: randomUUID(),
  });
  return stored.map((event, revision) => ({
    ...event,
    stream: 'letters',
    revision,
    position: revision + 100,
  }));
}

function changed(event: PersistedEvent, fields: Partial<PersistedEvent>): PersistedEvent {
  return { ...event, ...fields };
}

describe('an event', () => {
  it('comes back as it was decided, with what the log knows about it', async () => {
    const events = [letter('Dear Charles', { note: 'urgent' }), shelf, letter('😀 \u0000 ü')];
    const stored = await codec.encode({ stream: 'letters', expected: 'any' }, events, metadata);
    const persisted = stored.map((event, index) => ({
      ...event,
      stream: 'letters',
      revision: index + 4,
      position: index * 9,
    }));
    expect(await codec.decode(persisted)).toEqual(
      events.map((event, index) => ({
        ...event,
        id: eventId(metadata.commandId, index),
        stream: 'letters',
        revision: index + 4,
        position: index * 9,
        metadata,
        erased: false,
      })),
    );
  });

  it('lets others have their turn before the next is checked and read, where that takes long', async () => {
    const events = await encoded([shelf, letter('Dear Charles'), shelf]);
    const quickly = await codec.decode(events);
    const { result: slowly, turns } = await countingTurns(() => codec.decode(events));
    expect(slowly).toEqual(quickly);
    expect(turns).toBeGreaterThan(events.length);
  });

  it('lets others have their turn before the next is made, where that takes long', async () => {
    const events = [shelf, letter('Dear Charles'), shelf];
    const { result, turns } = await countingTurns(() => encoded(events));
    expect(result.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
    expect(turns).toBeGreaterThan(events.length);
  });

  it('is stored in its documented form', async () => {
    const [sent, named] = await codec.encode(
      { stream: 'letters', expected: 'any' },
      [letter('Dear Charles'), shelf],
      metadata,
    );
    const { hash, ...rest } = sent!.metadata;
    expect(rest).toEqual({ ...metadata, schemaVersion: 1, key: sent!.id });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.keys(sent!.data).sort()).toEqual(['authorId', 'sealed', 'topic']);
    const bytes = Buffer.from(sent!.data['sealed'] as string, 'base64');
    expect(bytes.length).toBe(12 + JSON.stringify({ text: 'Dear Charles' }).length + 16);
    expect(named!.data).toEqual(shelf.data);
    expect(named!.metadata).not.toHaveProperty('key');
  });

  it('keeps its id and its key when its command is tried again', async () => {
    const events = [letter('Dear Charles'), shelf];
    const first = await codec.encode({ stream: 'letters', expected: 'any' }, events, metadata);
    const second = await codec.encode({ stream: 'letters', expected: 'any' }, events, metadata);
    expect(second.map((event) => event.id)).toEqual(first.map((event) => event.id));
    expect(second[1]).toEqual(first[1]);
    const persist = (event: StoredEvent): PersistedEvent => ({
      ...event,
      stream: 'letters',
      revision: 0,
      position: 0,
    });
    const decoded = await codec.decode([persist(first[0]!), persist(second[0]!)]);
    expect(decoded[1]).toEqual(decoded[0]);
  });

  it('is the same from a store that hands back its own objects and from one that parses them again', async () => {
    const events = await encoded([letter('Dear Charles'), shelf]);
    const parsed = events.map((event) => reordered(event) as PersistedEvent);
    expect(await codec.decode(parsed)).toEqual(await codec.decode(events));
    expect(parsed.every((event) => verifyEventHash(event))).toBe(true);
  });
});

describe('what people wrote', () => {
  it('stands nowhere in the log or the key store in the clear', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'codec-'));
    const keyStore = openEmbeddedKeyStore({ file: join(folder, 'keys.sqlite') });
    const store = openEmbeddedEventStore({ file: join(folder, 'log.sqlite') });
    use(keyStore);
    const secrets = ['unmistakable-text', 'unmistakable-note', 'unmistakable-correction'];
    const [first] = await codec.encode(
      { stream: 'letters', expected: 'any' },
      [letter(secrets[0]!, { note: secrets[1] })],
      metadata,
    );
    const correction = {
      type: 'LetterCorrected',
      data: { authorId: 3, letterKey: first!.id, text: secrets[2] },
    };
    const rest = await codec.encode({ stream: 'letters', expected: 'any' }, [correction, shelf], {
      ...metadata,
      commandId: randomUUID(),
    });
    await store.append('letters', 'no-stream', [first!, ...rest]);
    const found = JSON.stringify([first, ...rest]);
    const read = (): Buffer =>
      Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
    for (const bytes of [Buffer.from(found), read()]) {
      expect(bytes.includes('A to F')).toBe(true);
      for (const secret of secrets) {
        expect(bytes.includes(secret)).toBe(false);
        expect(bytes.includes(Buffer.from(secret).toString('base64').slice(0, 16))).toBe(false);
      }
    }
    const decoded = await codec.decode(await store.readStream('letters', { limit: 10 }));
    for (const secret of secrets) expect(JSON.stringify(decoded)).toContain(secret);
    await store.close();
    await keyStore.close();
    expect(read().includes(secrets[0]!)).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it('is a placeholder once its key is destroyed, and the event still verifies', async () => {
    const [sent, other] = await encoded([letter('Dear Charles', { note: 'urgent' }), letter('Kept')]);
    await vault.destroy([sent!.id]);
    const [erased, kept] = await codec.decode([sent!, other!]);
    expect(erased).toMatchObject({ erased: true, data: { authorId: 3, topic: 'engines', text: '(erased)' } });
    expect(erased!.data).not.toHaveProperty('note');
    expect(erased!.data).not.toHaveProperty('sealed');
    expect(kept).toMatchObject({ erased: false, data: { text: 'Kept' } });
    expect(verifyEventHash(sent!)).toBe(true);
  });

  it('is replaced by placeholders for readers that do not need it decrypted', async () => {
    const events = await encoded([letter('Dear Charles', { note: 'urgent' }), shelf]);
    await vault.destroy([events[0]!.id]);
    const [clear, named] = codec.decodeWithoutDecrypting(events);
    expect(clear).toMatchObject({ data: { authorId: 3, topic: 'engines', text: '(erased)' }, erased: false });
    expect(clear?.data).not.toHaveProperty('note');
    expect(named?.data).toEqual(shelf.data);
  });

  it('goes with its record: a correction is erased with its letter', async () => {
    const [sent] = await encoded([letter('Dear Charles')]);
    const data = { authorId: 3, letterKey: sent!.id, text: 'Dear Mr Babbage' };
    const [correction] = await encoded([{ type: 'LetterCorrected', data }]);
    expect(await codec.decode([correction!])).toMatchObject([{ data, erased: false }]);
    await vault.destroy([sent!.id]);
    expect(await codec.decode([sent!, correction!])).toMatchObject([{ erased: true }, { erased: true }]);
  });

  it('opens in no other event', async () => {
    const [first, second] = await encoded([letter('one'), letter('two')]);
    const swapped = changed(first!, { data: { ...first!.data, sealed: second!.data['sealed']! } });
    await expect(codec.decode([swapped])).rejects.toThrow(RecordDecryptionError);
  });
});

describe('the hash', () => {
  it('finds any change of an event by itself', async () => {
    for (const event of await encoded([letter('Dear Charles'), shelf])) {
      expect(verifyEventHash(event)).toBe(true);
      const [firstField] = Object.keys(event.data);
      const changes: Partial<PersistedEvent>[] = [
        { stream: 'letters2' },
        { type: 'ShelfRenamed' },
        { id: randomUUID() },
        { data: { ...event.data, extra: null } },
        { data: Object.fromEntries(Object.entries(event.data).filter(([name]) => name !== firstField)) },
        { data: { ...event.data, [firstField!]: 'other' } },
        ...Object.keys(event.metadata).map((name) => ({ metadata: { ...event.metadata, [name]: 'other' } })),
        { metadata: { ...event.metadata, extra: 1 } },
        { metadata: {} },
      ];
      for (const change of changes)
        expect([change, verifyEventHash(changed(event, change))]).toEqual([change, false]);
    }
  });

  it('does not speak for the place of an event, which is what seals are for', async () => {
    const [event] = await encoded([shelf]);
    expect(verifyEventHash(changed(event!, { revision: 77, position: 78 }))).toBe(true);
  });
});

describe('an event that does not belong in the log', () => {
  it.each([
    ['of an unknown type', { type: 'ShelfBurned', data: {} }, /ShelfBurned is not a valid event/],
    [
      'with an unknown member',
      { type: 'ShelfNamed', data: { name: 'A', size: 1, secret: 'x' } },
      /unrecognized_keys/,
    ],
    ['without a member', { type: 'ShelfNamed', data: { name: 'A' } }, /size: invalid_type/],
    ['with half a character', { type: 'ShelfNamed', data: { name: '\ud800', size: 1 } }, /lone surrogate/],
  ])('is refused %s', async (_, event, message) => {
    await expect(codec.encode({ stream: 'letters', expected: 'any' }, [event], metadata)).rejects.toThrow(
      message,
    );
    await expect(codec.encode({ stream: 'letters', expected: 'any' }, [event], metadata)).rejects.toThrow(
      InvalidEventError,
    );
  });

  it('is refused without quoting what people wrote', async () => {
    const event = { type: 'LetterSent', data: { authorId: 3, topic: 'engines', text: ['unmistakable'] } };
    await expect(codec.encode({ stream: 'letters', expected: 'any' }, [event], metadata)).rejects.not.toThrow(
      /unmistakable/,
    );
  });

  it('is refused before any key is made for the events beside it', async () => {
    const keyStore = new MemoryKeyStore();
    use(keyStore);
    const events = [letter('Dear Charles'), { type: 'ShelfNamed', data: {} }];
    await expect(codec.encode({ stream: 'letters', expected: 'any' }, events, metadata)).rejects.toThrow(
      InvalidEventError,
    );
    expect(keyStore.keys.size).toBe(0);
  });

  it('is refused when what would be stored is too large', async () => {
    const fits = {
      type: 'ShelfNamed',
      data: { name: 'x'.repeat(1_048_576 - '{"name":"","size":1}'.length), size: 1 },
    };
    expect(await codec.encode({ stream: 'letters', expected: 'any' }, [fits], metadata)).toHaveLength(1);
    const tooLarge = { type: 'ShelfNamed', data: { name: `${fits.data.name}x`, size: 1 } };
    await expect(codec.encode({ stream: 'letters', expected: 'any' }, [tooLarge], metadata)).rejects.toThrow(
      AppendTooLargeError,
    );
    await expect(
      codec.encode({ stream: 'letters', expected: 'any' }, [letter('ü'.repeat(400_000))], metadata),
    ).rejects.toThrow(AppendTooLargeError);
    await expect(
      codec.encode({ stream: 'letters', expected: 'any' }, [fits, shelf], metadata),
    ).rejects.toThrow(AppendTooLargeError);
  });
});

describe('older and newer versions', () => {
  const LetterSent3 = defineEvent({
    type: 'LetterSent',
    version: 3,
    description: 'Somebody wrote a letter.',
    schema: z.strictObject({ authorId: z.number().int(), topics: z.array(z.string()), content: z.string() }),
    erasable: { fields: ['content'], owner: (data) => data.authorId, placeholder: { content: '(gone)' } },
    example: { authorId: 3, topics: ['engines'], content: 'Dear Charles' },
    upcasts: {
      1: ({ topic, ...data }) => ({ ...data, topics: [topic!] }),
      2: ({ text, ...data }) => ({ ...data, content: text ?? '' }),
    },
  });

  function newerCodec(): EventCodec {
    return new EventCodec(new EventCatalog([LetterSent3]), vault);
  }

  it('an older event is read as the current version, content included', async () => {
    const [event] = await encoded([letter('Dear Charles')]);
    expect(await newerCodec().decode([event!])).toMatchObject([
      { data: { authorId: 3, topics: ['engines'], content: 'Dear Charles' }, erased: false },
    ]);
  });

  it('an older event that was erased has the current placeholder', async () => {
    const [event] = await encoded([letter('Dear Charles')]);
    await vault.destroy([event!.id]);
    expect(await newerCodec().decode([event!])).toMatchObject([
      { data: { authorId: 3, topics: ['engines'], content: '(gone)' }, erased: true },
    ]);
  });

  it('a damaged event is refused with the reason, for every kind of damage', async () => {
    const [event] = await encoded([letter('Dear Charles')]);
    const damaged = changed(event!, { data: {}, unreadable: 'it is damaged' });
    await expect(codec.decode([damaged])).rejects.toThrow(/LetterSent.+it is damaged/);
    expect(() => codec.decodeWithoutDecrypting([damaged])).toThrow(UnreadableEventError);
  });

  it('an event of a newer version is refused with its type and version', async () => {
    const data = { authorId: 3, topics: [], content: 'Dear Charles' };
    const [stored] = await newerCodec().encode(
      { stream: 'letters', expected: 'any' },
      [{ type: 'LetterSent', data }],
      metadata,
    );
    const persisted = { ...stored!, stream: 'letters', revision: 0, position: 0 };
    await expect(codec.decode([persisted])).rejects.toThrow(UnreadableEventError);
    await expect(codec.decode([persisted])).rejects.toThrow(
      /LetterSent.*version 3, written by a newer version/,
    );
  });

  it('an event of an unknown type is refused with its type', async () => {
    const [event] = await encoded([shelf]);
    await expect(newerCodec().decode([event!])).rejects.toThrow(/ShelfNamed.*unknown/);
  });
});

describe('the catalog', () => {
  const definition = { type: 'Thing', description: 'A thing.', example: {} };

  it('refuses two definitions of one name', () => {
    expect(() => new EventCatalog([ShelfNamed, ShelfNamed])).toThrow(/ShelfNamed/);
  });

  it('refuses a version that older events cannot reach', () => {
    const schema = z.strictObject({});
    const gap = defineEvent({ ...definition, schema, version: 3, upcasts: { 2: (data) => data } });
    expect(() => new EventCatalog([gap])).toThrow(/Thing has no upcast from version 1/);
  });
});

function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, reordered(member)]));
}
