import type Database from 'libsql';
import { OperatorError } from '../../kernel/operator-error.js';

/** Version of the file's tables, kept in SQLite's `user_version`. */
const SCHEMA_VERSION = 1;

/** The file was written by a later version of this program, which this one must not touch. */
export class NewerSchemaError extends OperatorError {
  override readonly name = 'NewerSchemaError';
  constructor(file: string, found: number) {
    super(
      `The event log ${file} was written by a newer version of Palimpsest ` +
        `(its format is ${found}, this version knows ${SCHEMA_VERSION}): start that version instead.`,
    );
  }
}

/**
 * There is deliberately no index on the event id, which is random: it would dirty a page of its own for every event and
 * make a group commit three times as slow. Nor is there one on the type: a scan passes over millions of rows a second.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Makes the tables where they are missing.
 *
 * @throws NewerSchemaError
 */
export function prepareSchema(database: Database.Database, file: string): void {
  checkSchema(database, file);
  database.exec('BEGIN IMMEDIATE');
  try {
    if (checkSchema(database, file) < SCHEMA_VERSION) database.exec(TABLES);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Version of the file's tables; 0 when it has none yet.
 *
 * @throws NewerSchemaError
 */
export function checkSchema(database: Database.Database, file: string): number {
  const [version] = database.prepare('PRAGMA user_version').raw().get() as [number];
  if (version > SCHEMA_VERSION) throw new NewerSchemaError(file, version);
  return version;
}
