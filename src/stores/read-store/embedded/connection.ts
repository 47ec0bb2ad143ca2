import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'libsql';
import { LRUCache } from 'lru-cache';
import { makePrivateFile } from '../../sqlite/make-private-file.js';
import { DuplicateKeyError, ReadStoreUnavailableError, UnsupportedQueryError } from '../port.js';

/** What SQLite binds: numbers as real ones, bigints as whole ones. Never a boolean: the driver ends the process over one. */
export type SqlValue = number | bigint | string | Uint8Array | null;

/** A row, its columns in order. */
export type Row = readonly unknown[];

/** Characters of SQL whose prepared statements are kept. */
const STATEMENT_CACHE = 2_000_000;

/** How long a writer waits for another connection's transaction. */
export const BUSY_TIMEOUT_MS = 10_000;

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

/** A file as it was opened. */
interface OpenedFile {
  readonly path: string;
  /** What tells it from another that later has its path: an inode is not used again while it is open. Null: there was none. */
  readonly identity: string | null;
}

function openedFile(path: string): OpenedFile {
  const found = statSync(path, { throwIfNoEntry: false });
  return { path, identity: found?.size ? `${found.dev}/${found.ino}` : null };
}

/** Files that hold what the log does not tell: which versions serve, what operators want, and how far reactors have come. */
const HOLDS_PROGRESS = /^(?:engine\.|operations__|reactor-)/;

function cannotOpen(file: string, cause: unknown): ReadStoreUnavailableError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code !== 'SQLITE_NOTADB' && code !== 'SQLITE_CORRUPT')
    return new ReadStoreUnavailableError(`The read store cannot open ${file}`, { cause });
  const remedy = HOLDS_PROGRESS.test(basename(file))
    ? `restore a backup, or remove the folder ${dirname(file)} while no server runs: the next start builds the read models from the log, and what follows from events begins at its end`
    : 'remove it while no server runs, and the next start builds what it held from the log';
  return new ReadStoreUnavailableError(`The file ${file} is damaged: ${remedy}`);
}

/** The driver's errors as the port's. */
export function translate(error: unknown): unknown {
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
    private readonly opened: OpenedFile,
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
      return new Connection(database, false, openedFile(file));
    } catch (cause) {
      throw cannotOpen(file, cause);
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
        return new Connection(new Database(':memory:'), false, openedFile(file));
      const database = new Database(file);
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      database.exec('PRAGMA query_only = ON');
      // Whether it is a database is seen by the first who looks into it.
      database.exec('SELECT 1 FROM sqlite_schema LIMIT 1');
      return new Connection(database, true, openedFile(file));
    } catch (cause) {
      throw cannotOpen(file, cause);
    }
  }

  /** Whether its file is no longer where it was opened: it was removed, or another stands there. */
  get isFileGone(): boolean {
    return openedFile(this.opened.path).identity !== this.opened.identity;
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
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = task();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.database.inTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
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
