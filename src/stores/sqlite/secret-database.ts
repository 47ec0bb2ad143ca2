import Database from 'libsql';
import { makePrivateFile, openingFile } from './database-file.js';

/** A connection to one SQLite file. */
export type SecretDatabase = Database.Database;

/**
 * Opens or creates a SQLite file for data that must neither be lost nor remain after deletion: readable only by its owner, every commit
 * synced, and deleted content overwritten.
 *
 * @param schema statements that can be repeated
 * @throws UnreadableFileError
 */
export function openSecretDatabase(file: string, schema: string): SecretDatabase {
  makePrivateFile(file);
  return openingFile(file, () => {
    const database = new Database(file);
    database.exec('PRAGMA busy_timeout = 5000');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    database.exec('PRAGMA secure_delete = ON');
    database.exec(schema);
    return database;
  });
}

/**
 * Opens such a file read-only, without creating or changing anything.
 *
 * @throws UnreadableFileError
 */
export function openSecretDatabaseToRead(file: string): SecretDatabase {
  return openingFile(file, () => {
    const database = new Database(file);
    database.exec('PRAGMA busy_timeout = 5000');
    database.exec('PRAGMA query_only = 1');
    // SQLite only detects at the first read that a file is not a database.
    database.exec('SELECT 1 FROM sqlite_schema LIMIT 1');
    return database;
  });
}

/**
 * Adds columns that a table of an earlier version lacks. Existing rows have NULL in them, and earlier versions can still use the table.
 *
 * @param columns their types, by name
 */
export function addMissingColumns(
  database: SecretDatabase,
  table: string,
  columns: Readonly<Record<string, string>>,
): void {
  inTransaction(database, () => {
    const rows = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all([]);
    const present = new Set((rows as { readonly name: string }[]).map(({ name }) => name));
    for (const [name, type] of Object.entries(columns)) {
      if (!present.has(name)) database.exec(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
    }
  });
}

/** Runs `task` in one immediate transaction: all of its changes become durable, or none. */
export function inTransaction<Result>(database: SecretDatabase, task: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = task();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
