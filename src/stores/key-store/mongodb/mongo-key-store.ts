import type { Collection, MongoClient } from 'mongodb';
import {
  connectMongo,
  duplicatesIn,
  durable,
  inTime,
  retryOnDuplicateKey,
  oneOf,
} from '../../mongodb/connect.js';
import { BatchedCalls } from '../../../runtime/batched-calls.js';
import { KeyStoreUnavailableError, type KeyStore, type WrappedKey } from '../port.js';

/** Of a destroyed key only the id remains, with `wrapped: null`. */
interface KeyDocument {
  readonly _id: string;
  readonly wrappedBy: string | null;
  readonly wrapped: Buffer | null;
}

interface NoteDocument {
  readonly _id: string;
  readonly text: string;
}

/** Options of {@link connectMongoKeyStore}. */
interface MongoKeyStoreOptions {
  /** Its path names the database. Keys are in the collection `encryption_keys`, notes in `key_notes`. */
  readonly url: string;
}

/** Connects to the key store in MongoDB. */
export async function connectMongoKeyStore({ url }: MongoKeyStoreOptions): Promise<KeyStore> {
  return new MongoKeyStore(await guarded(() => connectMongo(url)));
}

class MongoKeyStore implements KeyStore {
  private readonly keys: Collection<KeyDocument>;
  private readonly notes: Collection<NoteDocument>;
  private readonly writes = new BatchedCalls((keys: readonly WrappedKey[]) => this.insertAll(keys));

  constructor(private readonly client: MongoClient) {
    this.keys = client.db().collection<KeyDocument>('encryption_keys', durable);
    this.notes = client.db().collection<NoteDocument>('key_notes', durable);
  }

  putIfAbsent(keys: readonly WrappedKey[]): Promise<readonly (WrappedKey | null)[]> {
    return this.writes.call(keys);
  }

  async get(ids: readonly string[]): Promise<ReadonlyMap<string, WrappedKey | null>> {
    const found = new Map<string, WrappedKey | null>();
    if (ids.length === 0) return found;
    const documents = await this.inTime(() => this.keys.find({ _id: oneOf(ids) }).toArray());
    for (const { _id: id, wrappedBy, wrapped } of documents) {
      found.set(id, wrapped && { id, wrappedBy, wrapped });
    }
    return found;
  }

  async destroy(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const tombstones = ids.map((id) => ({
      replaceOne: { filter: { _id: id }, replacement: { wrappedBy: null, wrapped: null }, upsert: true },
    }));
    await guarded(() => this.keys.bulkWrite(tombstones, { ordered: false }));
  }

  async wrappedByServer(after: string, limit: number): Promise<readonly WrappedKey[]> {
    const filter = { _id: { $gt: after }, wrappedBy: null, wrapped: { $ne: null } };
    const found = await guarded(() => this.keys.find(filter).sort({ _id: 1 }).limit(limit).toArray());
    return found.flatMap(({ _id: id, wrapped }) =>
      wrapped === null ? [] : { id, wrappedBy: null, wrapped },
    );
  }

  async rewrap(keys: readonly WrappedKey[]): Promise<void> {
    if (keys.length === 0) return;
    const updates = keys.map(({ id, wrappedBy, wrapped }) => ({
      updateOne: {
        filter: { _id: id, wrapped: { $ne: null } },
        update: { $set: { wrappedBy, wrapped: Buffer.from(wrapped) } },
      },
    }));
    await guarded(() => this.keys.bulkWrite(updates, { ordered: false }));
  }

  async readNote(name: string): Promise<string | null> {
    const found = await this.inTime(() => this.notes.findOne({ _id: name }));
    return found?.text ?? null;
  }

  async writeNote(name: string, text: string): Promise<void> {
    await this.inTime(() =>
      retryOnDuplicateKey(() => this.notes.replaceOne({ _id: name }, { text }, { upsert: true })),
    );
  }

  async close(): Promise<void> {
    await this.writes.idle();
    await this.client.close();
  }

  /** A timeout for what requests wait for. Rotating and destroying keys may take longer. */
  private inTime<Result>(task: () => Promise<Result>): Promise<Result> {
    return guarded(() => inTime(this.client, task));
  }

  private async insertAll(keys: readonly WrappedKey[]): Promise<readonly (WrappedKey | null)[]> {
    const wanted = new Map<string, WrappedKey>();
    for (const key of keys) if (!wanted.has(key.id)) wanted.set(key.id, key);
    const refused = await this.inTime(() => this.insertNew([...wanted.values()]));
    const stored = await this.get(refused);
    const answers = new Map<string, WrappedKey | null>(wanted);
    for (const id of refused) answers.set(id, stored.get(id) ?? null);
    return keys.map((key) => answers.get(key.id) ?? null);
  }

  /** @returns the ids that already existed */
  private async insertNew(keys: readonly WrappedKey[]): Promise<readonly string[]> {
    if (keys.length === 0) return [];
    const documents = keys.map(({ id, wrappedBy, wrapped }) => ({
      _id: id,
      wrappedBy,
      wrapped: Buffer.from(wrapped),
    }));
    try {
      await this.keys.insertMany(documents, { ordered: false });
      return [];
    } catch (error) {
      return duplicatesIn(error).map((index) => documents[index]!._id);
    }
  }
}

async function guarded<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (cause) {
    throw new KeyStoreUnavailableError('The key store cannot be reached or written', { cause });
  }
}
