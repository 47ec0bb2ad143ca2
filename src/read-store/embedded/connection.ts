import { statSync } from 'node:fs';
import Database from 'libsql';
import { LRUCache } from 'lru-cache';
import { makePrivateFile } from '../../sqlite/make-private-file.js';
import { DuplicateKeyError, ReadStoreUnavailableError, UnsupportedQueryError } from '../port.js';

/** What SQLite binds. Never a boolean: the driver ends the process over one. */
export type SqlValue = number | string | Uint8Array | null;

/** A row, its columns in order. */
export type Row = readonly unknown[];

/** Characters of SQL whose prepared statements are kept. */
const STATEMENT_CACHE = 2_000_000;

/** How long a writer waits for another connection's transaction. */
const BUSY_TIMEOUT_MS = 10_000;

/** How a file of documents is kept. */
export const MODEL_PRAGMAS = [
  'PRAGMA journal_mode = WAL',
  // A tail lost with the power is rebuilt from the log: the checkpoint is lost with it.
  'PRAGMA synchronous = NORMAL',
  // What people wrote does not stay behind in free pages.
  'PRAGMA secure_delete = ON',
  'PRAGMA cache_size = -4000',
  'PRAGMA wal_autocheckpoint = 4000',
  'PRAGMA journal_size_limit = 67108864',
];

function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new DuplicateKeyError(error.message, { cause: error });
  }
  if (code === 'SQLITE_TOOBIG')
    return new UnsupportedQueryError('The document is too large', { cause: error });
  if (code === 'SQLITE_ERROR' || code === '') return error;
  return new ReadStoreUnavailableError(`The read store cannot go on: ${error.message}`, { cause: error });
}

/** A connection to one SQLite file, with its prepared statements. Everything in it is synchronous. */
export class Connection {
  private readonly statements = new LRUCache<string, Database.Statement>({
    maxSize: STATEMENT_CACHE,
    sizeCalculation: (_statement, sql) => sql.length,
  });

  private constructor(
    private readonly database: Database.Database,
    /** Nothing is to be made or changed over it. */
    readonly isReadOnly: boolean,
  ) {}

  /**
   * Opens a file, making it where it is missing, readable by its owner alone.
   *
   * @throws {ReadStoreUnavailableError} when that cannot be done.
   */
  static open(file: string): Connection {
    try {
      makePrivateFile(file);
      const database = new Database(file);
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      for (const pragma of MODEL_PRAGMAS) database.exec(pragma);
      return new Connection(database, false);
    } catch (cause) {
      throw new ReadStoreUnavailableError(`The read store cannot open ${file}`, { cause });
    }
  }

  /**
   * Opens a file for somebody who only reads: nothing of it is made or changed. One that is missing is empty.
   *
   * @throws {ReadStoreUnavailableError} when that cannot be done.
   */
  static openToRead(file: string): Connection {
    try {
      // One that was cut off while it was made is empty, too.
      if (!statSync(file, { throwIfNoEntry: false })?.size)
        return new Connection(new Database(':memory:'), false);
      const database = new Database(file);
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      database.exec('PRAGMA query_only = ON');
      return new Connection(database, true);
    } catch (cause) {
      throw new ReadStoreUnavailableError(`The read store cannot open ${file}`, { cause });
    }
  }

  /** All rows of a query. */
  rows(sql: string, parameters: readonly SqlValue[]): Row[] {
    return this.guard(() => this.statement(sql).all(parameters) as Row[]);
  }

  /** The first row of a query; undefined when there is none. */
  row(sql: string, parameters: readonly SqlValue[]): Row | undefined {
    return this.guard(() => this.statement(sql).get(parameters) as Row | undefined);
  }

  /** A number that is another after each commit of another connection. */
  othersCommits(): number {
    return this.row('PRAGMA data_version', [])?.[0] as number;
  }

  /** Runs a statement that answers no rows. */
  run(sql: string, parameters: readonly SqlValue[]): Database.RunResult {
    return this.guard(() => this.statement(sql).run(parameters));
  }

  /** Runs statements without parameters. */
  exec(sql: string): void {
    this.guard(() => this.database.exec(sql));
  }

  /** Runs `task` in a transaction that writes: all of it becomes durable, or none. */
  transaction<Result>(task: () => Result): Result {
    return this.within('BEGIN IMMEDIATE', task);
  }

  /** Runs `task` so that all its queries see the same state. */
  snapshot<Result>(task: () => Result): Result {
    return this.database.inTransaction ? task() : this.within('BEGIN', task);
  }

  /** Leaves everything in the file itself, unless others have it open. */
  close(): void {
    if (!this.database.open) return;
    this.statements.clear();
    try {
      if (!this.isReadOnly) this.emptyJournal();
    } catch {
      // On a full disk all of it stays in the journal, where the next one to open the file finds it.
    } finally {
      this.database.close();
    }
  }

  /** The driver keeps the connection until its statements are collected, so that SQLite's own last checkpoint comes too late. */
  private emptyJournal(): void {
    this.database.exec('PRAGMA busy_timeout = 0');
    this.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().get();
  }

  private within<Result>(begin: string, task: () => Result): Result {
    this.exec(begin);
    try {
      const result = task();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.database.inTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
  }

  private statement(sql: string): Database.Statement {
    const known = this.statements.get(sql);
    if (known) return known;
    const prepared = this.database.prepare(sql);
    // Only a statement that answers rows has a raw mode.
    const statement = prepared.reader ? prepared.raw() : prepared;
    this.statements.set(sql, statement);
    return statement;
  }

  private guard<Result>(task: () => Result): Result {
    if (!this.database.open) throw new ReadStoreUnavailableError('The read store is closed');
    try {
      return task();
    } catch (error) {
      throw translate(error);
    }
  }
}
