import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'libsql';
import { LRUCache } from 'lru-cache';
import { makePrivateFile } from '../../sqlite/database-file.js';
import { DuplicateKeyError, ReadStoreUnavailableError, UnsupportedQueryError } from '../port.js';

/** A value to bind: numbers as REAL, bigints as INTEGER. Never a boolean, on which the driver aborts the process. */
export type SqlValue = number | bigint | string | Uint8Array | null;

/** The columns of a row, in order. */
export type Row = readonly unknown[];

/** Maximum total length of SQL whose prepared statements are cached. */
const STATEMENT_CACHE = 2_000_000;

/** How long a writer waits for another connection's transaction. */
export const BUSY_TIMEOUT_MS = 10_000;

/** The settings of a file of documents. */
export const modelPragmas = [
  'PRAGMA journal_mode = WAL',
  // If a power failure loses the last commits, they are applied again from the log, because their checkpoint is lost too.
  'PRAGMA synchronous = NORMAL',
  // Deleted content must not remain in free pages.
  'PRAGMA secure_delete = ON',
  'PRAGMA cache_size = -4000',
  'PRAGMA wal_autocheckpoint = 4000',
  'PRAGMA journal_size_limit = 67108864',
];

/** An opened file. */
interface OpenedFile {
  readonly path: string;
  /** Distinguishes the file from another one at the same path: an inode is not reused while it is open. Null: there was no file. */
  readonly identity: string | null;
}

function openedFile(path: string): OpenedFile {
  const found = statSync(path, { throwIfNoEntry: false });
  return { path, identity: found?.size ? `${found.dev}/${found.ino}` : null };
}

/** Files with data that is not in the log: which versions serve, operators' settings, and the checkpoints of reactors. */
const holdsProgress = /^(?:engine\.|operations__|reactor-)/;

function cannotOpen(file: string, cause: unknown): ReadStoreUnavailableError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code !== 'SQLITE_NOTADB' && code !== 'SQLITE_CORRUPT')
    return new ReadStoreUnavailableError(`The read store cannot open ${file}`, { cause });
  const remedy = holdsProgress.test(basename(file))
    ? `restore a backup, or remove the folder ${dirname(file)} while no server runs: the next start builds the read models from the log, and what follows from events begins at its end`
    : 'remove it while no server runs, and the next start builds what it held from the log';
  return new ReadStoreUnavailableError(`The file ${file} is damaged: ${remedy}`);
}

/** Converts the driver's errors to the port's. */
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

/** A connection to one SQLite file, with its prepared statements. All methods are synchronous. */
export class Connection {
  private readonly statements = new LRUCache<string, Database.Statement>({
    maxSize: STATEMENT_CACHE,
    sizeCalculation: (_statement, sql) => sql.length,
  });

  private constructor(
    private readonly database: Database.Database,
    /** Whether nothing can be created or changed. */
    readonly isReadOnly: boolean,
    private readonly opened: OpenedFile,
  ) {}

  /**
   * Opens a file. If it is missing, it is created, readable only by its owner.
   *
   * @throws {ReadStoreUnavailableError} when that fails.
   */
  static open(file: string): Connection {
    try {
      makePrivateFile(file);
      const database = new Database(file);
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      for (const pragma of modelPragmas) database.exec(pragma);
      return new Connection(database, false, openedFile(file));
    } catch (cause) {
      throw cannotOpen(file, cause);
    }
  }

  /**
   * Opens a file read-only, without creating or changing anything. A missing file counts as empty.
   *
   * @throws {ReadStoreUnavailableError} when that fails.
   */
  static openToRead(file: string): Connection {
    try {
      // A file whose creation was interrupted is empty, too.
      if (!statSync(file, { throwIfNoEntry: false })?.size)
        return new Connection(new Database(':memory:'), false, openedFile(file));
      const database = new Database(file);
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      database.exec('PRAGMA query_only = ON');
      // SQLite only detects at the first read that a file is not a database.
      database.exec('SELECT 1 FROM sqlite_schema LIMIT 1');
      return new Connection(database, true, openedFile(file));
    } catch (cause) {
      throw cannotOpen(file, cause);
    }
  }

  /** Whether the file was removed or replaced since it was opened. */
  get isFileGone(): boolean {
    return openedFile(this.opened.path).identity !== this.opened.identity;
  }

  /** All rows of a query. */
  rows(sql: string, parameters: readonly SqlValue[]): Row[] {
    return this.guard(() => this.statement(sql).all(parameters) as Row[]);
  }

  /** The first row of a query; undefined: there is none. */
  row(sql: string, parameters: readonly SqlValue[]): Row | undefined {
    return this.guard(() => this.statement(sql).get(parameters) as Row | undefined);
  }

  /** A number that changes with each commit of another connection. */
  foreignCommits(): number {
    return this.row('PRAGMA data_version', [])?.[0] as number;
  }

  /** Runs a statement without result rows. */
  run(sql: string, parameters: readonly SqlValue[]): Database.RunResult {
    return this.guard(() => this.statement(sql).run(parameters));
  }

  /** Runs statements without parameters. */
  exec(sql: string): void {
    this.guard(() => this.database.exec(sql));
  }

  /** Runs `task` in a writing transaction: all of its changes become durable, or none. */
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

  /** Closes it, with everything in the file itself unless other connections have it open. */
  close(): void {
    if (!this.database.open) return;
    this.statements.clear();
    try {
      if (!this.isReadOnly) this.emptyJournal();
    } catch {
      // When the disk is full, everything stays in the write-ahead log, where the next connection finds it.
    } finally {
      this.database.close();
    }
  }

  /** The driver keeps the connection open until its statements are garbage collected, which is too late for SQLite's own last checkpoint. */
  private emptyJournal(): void {
    this.database.exec('PRAGMA busy_timeout = 0');
    this.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().get();
  }

  private statement(sql: string): Database.Statement {
    const known = this.statements.get(sql);
    if (known) return known;
    const prepared = this.database.prepare(sql);
    // Only a statement with result rows has a raw mode.
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
