import { existsSync } from 'node:fs';
import type Database from 'libsql';
import {
  openSecretDatabase,
  openSecretDatabaseToRead,
  type SecretDatabase,
} from '../../sqlite/secret-database.js';
import { truncateJournal } from '../../sqlite/database-file.js';
import { BatchedCalls } from '../../../runtime/batched-calls.js';
import { KeysMissingError, KeyStoreUnavailableError, type KeyStore, type WrappedKey } from '../port.js';
import { KeyWriter, type KeyWrite } from './key-writer.js';

/** The tables of keys and notes. Of a destroyed key only the id remains, without its bytes and its wrapping key's id. */
export const KEY_SCHEMA = `
  CREATE TABLE IF NOT EXISTS keys (
    id TEXT PRIMARY KEY NOT NULL,
    wrapped_by TEXT,
    wrapped BLOB
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE IF NOT EXISTS notes (
    name TEXT PRIMARY KEY NOT NULL,
    text TEXT NOT NULL
  ) WITHOUT ROWID, STRICT`;

type Row = [id: string, wrappedBy: string | null, wrapped: Uint8Array | null];

/** Options of {@link openEmbeddedKeyStore}. */
interface EmbeddedKeyStoreOptions {
  /** Path of the SQLite file. The file is created (mode 600) if it is missing; its directory must exist. */
  readonly file: string;
  /** The file must exist and is not changed. */
  readonly readOnly?: boolean;
}

/**
 * Opens the key store in a SQLite file of its own.
 *
 * @throws KeysMissingError when it is opened read-only and does not exist; UnreadableFileError
 */
export function openEmbeddedKeyStore({ file, readOnly = false }: EmbeddedKeyStoreOptions): KeyStore {
  if (readOnly) {
    if (!existsSync(file)) throw new KeysMissingError();
    return new EmbeddedKeyStore(openSecretDatabaseToRead(file), null);
  }
  return new EmbeddedKeyStore(openSecretDatabase(file, KEY_SCHEMA), file);
}

class EmbeddedKeyStore implements KeyStore {
  private readonly select: Database.Statement;
  private readonly writes = new BatchedCalls((writes: readonly KeyWrite[]) => this.write(writes));
  private writer: KeyWriter | null = null;
  private closed = false;

  constructor(
    private readonly database: SecretDatabase,
    /** Null: it is read-only. */
    private readonly file: string | null,
  ) {
    this.select = database
      .prepare(
        `SELECT keys.id, wrapped_by, wrapped
         FROM json_each(?) AS wanted CROSS JOIN keys ON keys.id = wanted.value`,
      )
      .raw();
  }

  async putIfAbsent(keys: readonly WrappedKey[]): Promise<readonly (WrappedKey | null)[]> {
    this.assertOpen();
    return this.writes.call(keys.map((put) => ({ put })));
  }

  async get(ids: readonly string[]): Promise<ReadonlyMap<string, WrappedKey | null>> {
    this.assertOpen();
    return guarded(() => {
      const rows = this.select.all([JSON.stringify(ids)]) as Row[];
      return new Map(rows.map(([id, wrappedBy, wrapped]) => [id, wrapped && { id, wrappedBy, wrapped }]));
    });
  }

  async destroy(ids: readonly string[]): Promise<void> {
    this.assertOpen();
    if (ids.length === 0) return;
    await this.writes.call(ids.map((destroy) => ({ destroy })));
    await guarded(() => this.truncateJournal());
  }

  async wrappedByServer(after: string, limit: number): Promise<readonly WrappedKey[]> {
    this.assertOpen();
    return guarded(() => {
      const rows = this.database
        .prepare(
          'SELECT id, wrapped FROM keys WHERE id > ? AND wrapped_by IS NULL AND wrapped IS NOT NULL ORDER BY id LIMIT ?',
        )
        .raw()
        .all(after, limit) as [string, Uint8Array][];
      return rows.map(([id, wrapped]) => ({ id, wrappedBy: null, wrapped }));
    });
  }

  async rewrap(keys: readonly WrappedKey[]): Promise<void> {
    this.assertOpen();
    if (keys.length === 0) return;
    await this.writes.call(keys.map((rewrap) => ({ rewrap })));
    await guarded(() => this.truncateJournal());
  }

  async readNote(name: string): Promise<string | null> {
    this.assertOpen();
    return guarded(() => {
      // A read-only file of an earlier version may not have this table yet.
      const table = this.database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'notes'").raw().get();
      if (table === undefined) return null;
      const row = this.database.prepare('SELECT text FROM notes WHERE name = ?').raw().get(name);
      return row === undefined ? null : (row as [string])[0];
    });
  }

  async writeNote(name: string, text: string): Promise<void> {
    this.assertOpen();
    await this.writes.call([{ note: { name, text } }]);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.writes.idle();
    this.writer?.close();
    this.database.close();
  }

  private write(writes: readonly KeyWrite[]): Promise<readonly (WrappedKey | null)[]> {
    return guarded(async () => {
      if (writes.length === 0) return [];
      if (this.file === null) throw new KeyStoreUnavailableError('The keys are open for reading alone');
      this.writer ??= await KeyWriter.open(this.file);
      return this.writer.write(writes);
    });
  }

  /** The write-ahead log still contains the pages from before the keys were overwritten. */
  private async truncateJournal(): Promise<void> {
    if (this.file === null || (await truncateJournal(this.file))) return;
    throw new KeyStoreUnavailableError(
      'The keys are changed, but their former bytes could not be overwritten yet',
    );
  }

  private assertOpen(): void {
    if (this.closed) throw new KeyStoreUnavailableError('The key store is closed');
  }
}

async function guarded<Result>(task: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (cause) {
    if (cause instanceof KeyStoreUnavailableError) throw cause;
    throw new KeyStoreUnavailableError('The key store cannot read or write its file', { cause });
  }
}
