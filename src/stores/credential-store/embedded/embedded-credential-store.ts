import type Database from 'libsql';
import {
  addMissingColumns,
  inTransaction,
  openSecretDatabase,
  type SecretDatabase,
} from '../../sqlite/secret-database.js';
import { EmbeddedSecondFactors, SECOND_FACTOR_SCHEMA } from './embedded-second-factors.js';
import {
  type ApiKeyUse,
  CredentialStoreUnavailableError,
  DuplicateApiKeyError,
  type CredentialStore,
  type StoredApiKey,
} from '../port.js';

const SCHEMA = `${SECOND_FACTOR_SCHEMA}
  CREATE TABLE IF NOT EXISTS passwords (
    user_id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS api_keys (
    digest TEXT PRIMARY KEY NOT NULL,
    user_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    sealed BLOB
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE IF NOT EXISTS device_keys (
    device_id INTEGER PRIMARY KEY,
    sealed BLOB NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS api_keys_by_user ON api_keys (user_id, created_at, digest)`;

/** Columns of `api_keys` that earlier versions did not have. */
const laterColumns = { client: 'TEXT', last_used_at: 'INTEGER', sequence: 'INTEGER' };

type Row = [
  userId: number,
  digest: string,
  createdAt: number,
  sealed: Uint8Array | null,
  client: string | null,
  lastUsedAt: number | null,
];

/** Options of {@link openEmbeddedCredentialStore}. */
interface EmbeddedCredentialStoreOptions {
  /** Path of the SQLite file. The file is created (mode 600) if it is missing; its directory must exist. */
  readonly file: string;
}

/** Opens the credential store in a SQLite file of its own. */
export function openEmbeddedCredentialStore({ file }: EmbeddedCredentialStoreOptions): CredentialStore {
  const database = openSecretDatabase(file, SCHEMA);
  addMissingColumns(database, 'api_keys', laterColumns);
  return new EmbeddedCredentialStore(database);
}

class EmbeddedCredentialStore implements CredentialStore {
  private readonly selectPassword: Database.Statement;
  private readonly upsertPassword: Database.Statement;
  private readonly insertPassword: Database.Statement;
  private readonly deletePassword: Database.Statement;
  private readonly insertKey: Database.Statement;
  private readonly selectKey: Database.Statement;
  private readonly selectKeysOf: Database.Statement;
  private readonly updateUse: Database.Statement;
  private readonly deleteKey: Database.Statement;
  private readonly deleteKeys: Database.Statement;
  private readonly selectDeviceKey: Database.Statement;
  private readonly upsertDeviceKey: Database.Statement;
  private readonly deleteDeviceKey: Database.Statement;
  readonly secondFactors: EmbeddedSecondFactors;
  private closed = false;

  constructor(private readonly database: SecretDatabase) {
    const columns = 'user_id, digest, created_at, sealed, client, last_used_at';
    this.selectPassword = database.prepare('SELECT hash FROM passwords WHERE user_id = ?').raw();
    this.upsertPassword = database.prepare(
      'INSERT INTO passwords VALUES (?, ?) ON CONFLICT DO UPDATE SET hash = excluded.hash',
    );
    this.insertPassword = database.prepare('INSERT INTO passwords VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.deletePassword = database.prepare('DELETE FROM passwords WHERE user_id = ?');
    // Keeps the order of keys that were added in the same millisecond.
    const next = 'SELECT coalesce(max(sequence), 0) + 1 FROM api_keys WHERE user_id = ?1';
    this.insertKey = database.prepare(
      `INSERT INTO api_keys (${columns}, sequence) VALUES (?1, ?2, ?3, ?4, ?5, ?6, (${next}))`,
    );
    this.selectKey = database.prepare(`SELECT ${columns} FROM api_keys WHERE digest = ?`).raw();
    this.selectKeysOf = database
      .prepare(
        `SELECT ${columns} FROM api_keys WHERE user_id IN (SELECT value FROM json_each(?)) ORDER BY created_at, sequence, digest`,
      )
      .raw();
    this.updateUse = database.prepare(
      'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE digest = ?',
    );
    this.deleteKey = database.prepare('DELETE FROM api_keys WHERE digest = ?');
    this.deleteKeys = database.prepare('DELETE FROM api_keys WHERE user_id = ? AND digest <> ?');
    this.selectDeviceKey = database.prepare('SELECT sealed FROM device_keys WHERE device_id = ?').raw();
    this.upsertDeviceKey = database.prepare(
      'INSERT INTO device_keys VALUES (?, ?) ON CONFLICT DO UPDATE SET sealed = excluded.sealed',
    );
    this.deleteDeviceKey = database.prepare('DELETE FROM device_keys WHERE device_id = ?');
    this.secondFactors = new EmbeddedSecondFactors(database, (task) => this.guarded(task));
  }

  async passwordHash(userId: number): Promise<string | null> {
    const row = this.guarded(() => this.selectPassword.get([userId]) as [hash: string] | undefined);
    return row?.[0] ?? null;
  }

  async setPasswordHash(userId: number, hash: string): Promise<void> {
    this.guarded(() => this.upsertPassword.run([userId, hash]));
  }

  async addPasswordHash(userId: number, hash: string): Promise<boolean> {
    return this.guarded(() => this.insertPassword.run([userId, hash]).changes === 1);
  }

  async removePasswordHash(userId: number): Promise<void> {
    this.guarded(() => this.deletePassword.run([userId]));
  }

  async addApiKey(key: StoredApiKey): Promise<void> {
    this.guarded(() => this.insert(key));
  }

  async findApiKey(digest: string): Promise<StoredApiKey | null> {
    const row = this.guarded(() => this.selectKey.get([digest]) as Row | undefined);
    return row === undefined ? null : apiKeyOf(row);
  }

  apiKeys(userId: number): Promise<readonly StoredApiKey[]> {
    return this.apiKeysOf([userId]);
  }

  async apiKeysOf(userIds: readonly number[]): Promise<readonly StoredApiKey[]> {
    return this.guarded(() => this.selectKeysOf.all([JSON.stringify(userIds)]) as Row[]).map(apiKeyOf);
  }

  async noteApiKeyUses(uses: readonly ApiKeyUse[]): Promise<void> {
    this.guarded(() =>
      inTransaction(this.database, () => {
        for (const { digest, at } of uses) this.updateUse.run([at, digest]);
      }),
    );
  }

  async revokeApiKey(digest: string): Promise<void> {
    this.guarded(() => this.deleteKey.run([digest]));
  }

  async revokeApiKeys(userId: number, replacement?: StoredApiKey): Promise<void> {
    this.guarded(() =>
      inTransaction(this.database, () => {
        if (replacement !== undefined) this.insert(replacement);
        this.deleteKeys.run([userId, replacement?.digest ?? '']);
      }),
    );
  }

  async deviceKey(deviceId: number): Promise<Uint8Array | null> {
    const row = this.guarded(() => this.selectDeviceKey.get([deviceId]) as [sealed: Uint8Array] | undefined);
    return row?.[0] ?? null;
  }

  async setDeviceKey(deviceId: number, sealed: Uint8Array): Promise<void> {
    this.guarded(() => this.upsertDeviceKey.run([deviceId, sealed]));
  }

  async removeDeviceKey(deviceId: number): Promise<void> {
    this.guarded(() => this.deleteDeviceKey.run([deviceId]));
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.database.close();
  }

  private insert({ userId, digest, createdAt, sealed, client, lastUsedAt }: StoredApiKey): void {
    this.insertKey.run([userId, digest, createdAt, sealed, client, lastUsedAt]);
  }

  private guarded<Result>(task: () => Result): Result {
    if (this.closed) throw new CredentialStoreUnavailableError('The credential store is closed');
    try {
      return task();
    } catch (cause) {
      if (isDuplicate(cause)) throw new DuplicateApiKeyError();
      throw new CredentialStoreUnavailableError('The credential store cannot read or write its file', {
        cause,
      });
    }
  }
}

function apiKeyOf([userId, digest, createdAt, sealed, client, lastUsedAt]: Row): StoredApiKey {
  return { userId, digest, createdAt, sealed, client, lastUsedAt };
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}
