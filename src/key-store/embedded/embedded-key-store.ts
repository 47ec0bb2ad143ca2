import type Database from 'libsql';
import { inTransaction, openSecretDatabase, type SecretDatabase } from '../../sqlite/secret-database.js';
import { BatchedCalls } from '../batched-calls.js';
import { KeyStoreUnavailableError, type KeyStore, type WrappedKey } from '../port.js';

/** A destroyed key leaves its id behind, with neither bytes nor the name of the key that wrapped it. */
const schema = `
  CREATE TABLE IF NOT EXISTS keys (
    id TEXT PRIMARY KEY NOT NULL,
    wrapped_by TEXT,
    wrapped BLOB
  ) WITHOUT ROWID, STRICT`;

type Row = [id: string, wrappedBy: string | null, wrapped: Uint8Array | null];

/** Options of {@link openEmbeddedKeyStore}. */
export interface EmbeddedKeyStoreOptions {
  /** Path of the SQLite file; it is made (mode 600) where it is missing, its folder is not. */
  readonly file: string;
}

/** Opens the key store in a SQLite file of its own. */
export function openEmbeddedKeyStore({ file }: EmbeddedKeyStoreOptions): KeyStore {
  return new EmbeddedKeyStore(openSecretDatabase(file, schema));
}

class EmbeddedKeyStore implements KeyStore {
  private readonly insert: Database.Statement;
  private readonly select: Database.Statement;
  private readonly bury: Database.Statement;
  private readonly writes = new BatchedCalls((keys: readonly WrappedKey[]) => this.insertAll(keys));
  private closed = false;

  constructor(private readonly database: SecretDatabase) {
    this.insert = database.prepare('INSERT INTO keys VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    this.select = database
      .prepare(
        `SELECT keys.id, wrapped_by, wrapped
         FROM json_each(?) AS wanted CROSS JOIN keys ON keys.id = wanted.value`,
      )
      .raw();
    this.bury = database.prepare(
      'INSERT INTO keys VALUES (?, NULL, NULL) ON CONFLICT DO UPDATE SET wrapped_by = NULL, wrapped = NULL',
    );
  }

  async putIfAbsent(keys: readonly WrappedKey[]): Promise<readonly (WrappedKey | null)[]> {
    this.assertOpen();
    return this.writes.call(keys);
  }

  async get(ids: readonly string[]): Promise<ReadonlyMap<string, WrappedKey | null>> {
    this.assertOpen();
    return this.guarded(() => this.selectAll(ids));
  }

  async destroy(ids: readonly string[]): Promise<void> {
    this.assertOpen();
    await this.writes.idle();
    this.guarded(() => {
      inTransaction(this.database, () => {
        for (const id of ids) this.bury.run([id]);
      });
      this.truncateJournal();
    });
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.writes.idle();
    this.database.close();
  }

  private insertAll(keys: readonly WrappedKey[]): readonly (WrappedKey | null)[] {
    return this.guarded(() =>
      inTransaction(this.database, () =>
        keys.map((key) => {
          const { changes } = this.insert.run([key.id, key.wrappedBy, key.wrapped]);
          return changes === 1 ? key : (this.selectAll([key.id]).get(key.id) ?? null);
        }),
      ),
    );
  }

  private selectAll(ids: readonly string[]): Map<string, WrappedKey | null> {
    const rows = this.select.all([JSON.stringify(ids)]) as Row[];
    return new Map(rows.map(([id, wrappedBy, wrapped]) => [id, wrapped && { id, wrappedBy, wrapped }]));
  }

  /** The write-ahead journal still holds the pages as they were before the keys were overwritten. */
  private truncateJournal(): void {
    const [outcome] = this.database.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[];
    if (outcome?.busy !== 0) {
      throw new KeyStoreUnavailableError(
        'The keys are destroyed, but their bytes could not be overwritten yet',
      );
    }
  }

  private assertOpen(): void {
    if (this.closed) throw new KeyStoreUnavailableError('The key store is closed');
  }

  private guarded<Result>(task: () => Result): Result {
    try {
      return task();
    } catch (cause) {
      if (cause instanceof KeyStoreUnavailableError) throw cause;
      throw new KeyStoreUnavailableError('The key store cannot read or write its file', { cause });
    }
  }
}
