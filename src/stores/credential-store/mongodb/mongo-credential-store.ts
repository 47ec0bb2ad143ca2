import { randomUUID } from 'node:crypto';
import type { Collection, MongoClient } from 'mongodb';
import { connectMongo, durable, inTime, isDuplicateKey, retryOnDuplicateKey } from '../../mongodb/connect.js';
import { MongoSecondFactors } from './mongo-second-factors.js';
import {
  CredentialStoreUnavailableError,
  DuplicateApiKeyError,
  type ApiKeyUse,
  type CredentialStore,
  type StoredApiKey,
} from '../port.js';
import {
  apiKeyOf,
  FIRST_GENERATION,
  type PasswordDocument,
  type KeyDocument,
  type GenerationDocument,
  type DeviceKeyDocument,
} from './credential-documents.js';

/** Options of {@link connectMongoCredentialStore}. */
interface MongoCredentialStoreOptions {
  /**
   * Its path names the database. The collections are `passwords`, `api_keys`, `api_key_generations`, `device_keys`, and those of
   * {@link MongoSecondFactors}.
   */
  readonly url: string;
}

/** Connects to the credential store in MongoDB, and creates its index if it is missing. */
export async function connectMongoCredentialStore({
  url,
}: MongoCredentialStoreOptions): Promise<CredentialStore> {
  const client = await guarded(() => connectMongo(url));
  try {
    const store = new MongoCredentialStore(client);
    await store.prepare();
    return store;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Only needs atomic changes of single documents. */
class MongoCredentialStore implements CredentialStore {
  private readonly passwords: Collection<PasswordDocument>;
  private readonly keys: Collection<KeyDocument>;
  private readonly generations: Collection<GenerationDocument>;
  private readonly deviceKeys: Collection<DeviceKeyDocument>;
  readonly secondFactors: MongoSecondFactors;

  constructor(private readonly client: MongoClient) {
    const database = client.db();
    this.passwords = database.collection<PasswordDocument>('passwords', durable);
    this.keys = database.collection<KeyDocument>('api_keys', durable);
    this.generations = database.collection<GenerationDocument>('api_key_generations', durable);
    this.deviceKeys = database.collection<DeviceKeyDocument>('device_keys', durable);
    this.secondFactors = new MongoSecondFactors(database, (task) => this.inTime(task));
  }

  async prepare(): Promise<void> {
    await guarded(() => this.keys.createIndex({ userId: 1, generation: 1 }));
    await this.secondFactors.prepare();
  }

  async passwordHash(userId: number): Promise<string | null> {
    const document = await this.inTime(() => this.passwords.findOne({ _id: userId }));
    return document?.hash ?? null;
  }

  async setPasswordHash(userId: number, hash: string): Promise<void> {
    await this.inTime(() =>
      retryOnDuplicateKey(() => this.passwords.replaceOne({ _id: userId }, { hash }, { upsert: true })),
    );
  }

  async addPasswordHash(userId: number, hash: string): Promise<boolean> {
    return this.inTime(async () => {
      try {
        await this.passwords.insertOne({ _id: userId, hash });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    });
  }

  async removePasswordHash(userId: number): Promise<void> {
    await this.inTime(() => this.passwords.deleteOne({ _id: userId }));
  }

  async addApiKey(key: StoredApiKey): Promise<void> {
    await this.inTime(async () => this.insert(key, await this.generationOf(key.userId)));
  }

  async findApiKey(digest: string): Promise<StoredApiKey | null> {
    return this.inTime(async () => {
      const document = await this.keys.findOne({ _id: digest });
      if (document === null || document.generation !== (await this.generationOf(document.userId)))
        return null;
      return apiKeyOf(document);
    });
  }

  async apiKeys(userId: number): Promise<readonly StoredApiKey[]> {
    return this.apiKeysOf([userId]);
  }

  async apiKeysOf(userIds: readonly number[]): Promise<readonly StoredApiKey[]> {
    return this.inTime(async () => (await this.liveKeys(userIds)).map(apiKeyOf));
  }

  async noteApiKeyUses(uses: readonly ApiKeyUse[]): Promise<void> {
    if (uses.length === 0) return;
    const updates = uses.map(({ digest, at }) => ({
      updateOne: { filter: { _id: digest }, update: { $max: { lastUsedAt: at } } },
    }));
    await this.inTime(() => this.keys.bulkWrite(updates, { ordered: false }));
  }

  async revokeApiKey(digest: string): Promise<void> {
    await this.inTime(() => this.keys.deleteOne({ _id: digest }));
  }

  async revokeApiKeys(userId: number, replacement?: StoredApiKey): Promise<void> {
    await this.inTime(async () => {
      const revoked = await this.liveKeys([userId]);
      const generation = randomUUID();
      if (replacement !== undefined) await this.insert(replacement, generation);
      await retryOnDuplicateKey(() =>
        this.generations.replaceOne({ _id: userId }, { generation }, { upsert: true }),
      );
      await this.keys.deleteMany({ _id: { $in: revoked.map((key) => key._id) } });
    });
  }

  async deviceKey(deviceId: number): Promise<Uint8Array | null> {
    return (await this.inTime(() => this.deviceKeys.findOne({ _id: deviceId })))?.sealed ?? null;
  }

  async setDeviceKey(deviceId: number, sealed: Uint8Array): Promise<void> {
    const document = { sealed: Buffer.from(sealed) };
    await this.inTime(() =>
      retryOnDuplicateKey(() => this.deviceKeys.replaceOne({ _id: deviceId }, document, { upsert: true })),
    );
  }

  async removeDeviceKey(deviceId: number): Promise<void> {
    await this.inTime(() => this.deviceKeys.deleteOne({ _id: deviceId }));
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private inTime<Result>(task: () => Promise<Result>): Promise<Result> {
    return guarded(() => inTime(this.client, task));
  }

  private async generationOf(userId: number): Promise<string> {
    return (await this.generations.findOne({ _id: userId }))?.generation ?? FIRST_GENERATION;
  }

  /** By account; accounts without a document have the first generation. */
  private async generationsOf(userIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const documents = await this.generations.find({ _id: { $in: [...userIds] } }).toArray();
    return new Map(documents.map(({ _id, generation }) => [_id, generation]));
  }

  /** Reads again if keys were revoked between the two reads, so that the result is never half of a revocation. */
  private async liveKeys(userIds: readonly number[]): Promise<KeyDocument[]> {
    const filter = { userId: { $in: [...userIds] } };
    let generations = await this.generationsOf(userIds);
    for (;;) {
      const keys = await this.keys.find(filter).sort({ createdAt: 1, sequence: 1, _id: 1 }).toArray();
      const current = await this.generationsOf(userIds);
      const of = (userId: number): string => current.get(userId) ?? FIRST_GENERATION;
      const isSame = userIds.every((userId) => of(userId) === (generations.get(userId) ?? FIRST_GENERATION));
      if (isSame) return keys.filter(({ userId, generation }) => generation === of(userId));
      generations = current;
    }
  }

  /** Concurrent log-ins may get the same number; then their keys are listed in the order of their digests. */
  private async nextSequence(userId: number): Promise<number> {
    const last = await this.keys.find({ userId }).sort({ sequence: -1 }).limit(1).next();
    return (last?.sequence ?? 0) + 1;
  }

  private async insert(key: StoredApiKey, generation: string): Promise<void> {
    const { userId, digest, createdAt, client, lastUsedAt } = key;
    const sealed = key.sealed === null ? null : Buffer.from(key.sealed);
    const sequence = await this.nextSequence(userId);
    const document = { _id: digest, userId, generation, createdAt, sealed, client, lastUsedAt, sequence };
    try {
      await this.keys.insertOne(document);
    } catch (error) {
      throw isDuplicateKey(error) ? new DuplicateApiKeyError() : error;
    }
  }
}

/** The driver's errors contain documents and digests, so only their kind is passed on. */
async function guarded<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof DuplicateApiKeyError) throw error;
    const kind = error instanceof Error ? error.name : typeof error;
    throw new CredentialStoreUnavailableError(`The credential store cannot be reached or written (${kind})`);
  }
}
