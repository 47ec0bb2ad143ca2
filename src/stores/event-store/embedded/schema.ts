import type Database from 'libsql';
import { OperatorError } from '../../../kernel/errors.js';

/**
 * Version of the file's tables, in SQLite's `user_version`. From version 2 on, texts of rows may be shortened (see `shorthand.ts`); earlier
 * rows keep their texts.
 */
const SCHEMA_VERSION = 3;

/** The file was written by a later version of this program and must not be changed by this one. */
class NewerSchemaError extends OperatorError {
  override readonly name = 'NewerSchemaError';
  constructor(file: string, found: number) {
    super(
      `The event log ${file} was written by a newer version of Palimpsest ` +
        `(its format is ${found}, this version knows ${SCHEMA_VERSION}): start that version instead.`,
    );
  }
}

/** There is deliberately no index on the type: a scan reads millions of rows a second. */
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
`;

/** From version 3 on, event ids are unique, and the writer keeps a record of the log's end. */
const IDS_AND_END = `
  CREATE UNIQUE INDEX IF NOT EXISTS events_by_id ON events (id);
  CREATE TABLE IF NOT EXISTS log_end (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    record TEXT NOT NULL
  ) STRICT;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** The file contains two events with the same id, so somebody copied one. The file cannot be upgraded as it is. */
class RepeatedEventError extends OperatorError {
  override readonly name = 'RepeatedEventError';
  constructor(file: string) {
    super(
      `The event log ${file} holds an event twice: "palimpsest audit verify" says which; restore the log from a backup`,
    );
  }
}

/**
 * Creates the tables if they are missing.
 *
 * @throws NewerSchemaError, RepeatedEventError
 */
export function prepareSchema(database: Database.Database, file: string): void {
  checkSchema(database, file);
  database.exec('BEGIN IMMEDIATE');
  try {
    if (checkSchema(database, file) < SCHEMA_VERSION) makeTables(database, file);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Version of the file's tables; 0: it has none yet.
 *
 * @throws NewerSchemaError
 */
export function checkSchema(database: Database.Database, file: string): number {
  const [version] = database.prepare('PRAGMA user_version').raw().get() as [number];
  if (version > SCHEMA_VERSION) throw new NewerSchemaError(file, version);
  return version;
}

function makeTables(database: Database.Database, file: string): void {
  database.exec(TABLES);
  try {
    database.exec(IDS_AND_END);
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT'))
      throw new RepeatedEventError(file);
    throw error;
  }
}
