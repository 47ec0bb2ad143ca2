import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { makePrivateFile, openingFile } from '../../sqlite/database-file.js';
import type { PersistedEvent } from '../port.js';
import { checkSchema, prepareSchema } from './schema.js';
import { eventOfRow, ROW_COLUMNS, type Row } from './stored-row.js';

/** The place of an event. */
export interface Place {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
}

/** A part of the log: positions `after < position <= through`, at most `limit` events of the given types. */
interface LogRange {
  readonly after: number;
  readonly through: number;
  /** Absent: all types. */
  readonly types?: readonly string[] | undefined;
  readonly limit: number;
}

/** Milliseconds that a statement waits for another process that writes. */
export const BUSY_TIMEOUT = 5_000;

/**
 * Reads the SQLite file of the embedded event store: one table, synchronous statements, SQLite's own errors. Every statement is read to its
 * end, because an open cursor would block the WAL's checkpoint.
 */
export class LogFile {
  /** The file's real path, the same for every connection to it. */
  readonly path: string;
  readonly #database: Database.Database;
  readonly #head: Database.Statement;
  readonly #forwards: Database.Statement;
  readonly #backwards: Database.Statement;
  readonly #range: Database.Statement;
  readonly #rangeOfTypes: Database.Statement;

  private constructor(database: Database.Database, file: string) {
    const prepare = (sql: string): Database.Statement => database.prepare(sql);
    const select = (rest: string): Database.Statement =>
      prepare(`SELECT ${ROW_COLUMNS} FROM events ${rest}`).raw();
    this.path = realpathSync(file);
    this.#database = database;
    this.#head = prepare('SELECT max(position) FROM events').raw();
    this.#forwards = select('WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?');
    this.#backwards = select('WHERE stream = ? AND revision <= ? ORDER BY revision DESC LIMIT ?');
    this.#range = select('WHERE position > ? AND position <= ? ORDER BY position LIMIT ?');
    this.#rangeOfTypes = select(
      'WHERE position > ? AND position <= ? AND type IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT ?',
    );
  }

  /**
   * Opens the file. It is created, readable only by its owner, with its directory if it is missing.
   *
   * @throws NewerSchemaError, UnreadableFileError
   */
  static open(file: string): LogFile {
    mkdirSync(dirname(file), { recursive: true });
    makePrivateFile(file);
    return openingFile(file, () => {
      const database = new Database(file, { timeout: BUSY_TIMEOUT });
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = FULL');
      database.exec('PRAGMA journal_size_limit = 67108864');
      prepareSchema(database, file);
      return new LogFile(database, file);
    });
  }

  /**
   * Opens an existing file for reading, beside the connection that writes it.
   *
   * @throws NewerSchemaError, UnreadableFileError; Error when there is no log yet
   */
  static openReadOnly(file: string): LogFile {
    if (!existsSync(file)) throw new Error(`There is no event log at ${file}`);
    return openingFile(file, () => {
      const database = new Database(file, { timeout: BUSY_TIMEOUT });
      database.exec('PRAGMA query_only = 1');
      if (checkSchema(database, file) === 0) throw new Error(`There is no event log in ${file}`);
      return new LogFile(database, file);
    });
  }

  /** Position of the last event; 0: there is none. */
  head(): number {
    const [position] = this.#head.get() as [number | null];
    return position ?? 0;
  }

  /** The record of the log's end; null: there is none. */
  headRecord(): string | null {
    // A read-only file of an earlier version may not have this table yet.
    const table = this.#database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'log_end'").raw().get();
    if (table === undefined) return null;
    const row = this.#database.prepare('SELECT CAST(record AS BLOB) FROM log_end').raw().get();
    return row === undefined ? null : Buffer.from((row as [Uint8Array])[0]).toString('latin1');
  }

  /** Events of a stream from a revision upwards. */
  readForwards(stream: string, from: number, limit: number): PersistedEvent[] {
    return toEvents(this.#forwards.all(stream, from, limit));
  }

  /** Events of a stream from a revision downwards. */
  readBackwards(stream: string, from: number, limit: number): PersistedEvent[] {
    return toEvents(this.#backwards.all(stream, from, limit));
  }

  readRange({ after, through, types, limit }: LogRange): PersistedEvent[] {
    return toEvents(
      types
        ? this.#rangeOfTypes.all(after, through, JSON.stringify(types), limit)
        : this.#range.all(after, through, limit),
    );
  }

  close(): void {
    this.#database.close();
  }
}

function toEvents(rows: readonly unknown[]): PersistedEvent[] {
  return (rows as readonly Row[]).map(eventOfRow);
}
