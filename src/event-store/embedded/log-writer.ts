import type Database from 'libsql';
import AsyncDatabase from 'libsql/promise';
import type { SerializedEvent } from '../validate-append.js';
import { BUSY_TIMEOUT, COLUMNS, type Place } from './log-file.js';

type Statement = Pick<Database.Statement, 'run' | 'get'>;

interface Statements {
  readonly begin: Statement;
  readonly commit: Statement;
  readonly insert: Statement;
  readonly at: Statement;
}

/**
 * The connection that appends to the log, a transaction at a time. Nothing else is read over it, since it sees events
 * before they are committed. Errors are as SQLite throws them.
 */
export class LogWriter {
  private constructor(
    private readonly database: AsyncDatabase & { readonly inTransaction?: boolean },
    private readonly statements: Statements,
  ) {}

  /** Opens a file that has its tables already. */
  static async open(file: string): Promise<LogWriter> {
    const database = new AsyncDatabase(file, { timeout: BUSY_TIMEOUT });
    await execute(database, 'PRAGMA synchronous = FULL');
    await execute(database, 'PRAGMA journal_size_limit = 67108864');
    const prepare = (sql: string): Promise<Statement> => database.prepare(sql) as Promise<Statement>;
    const at = (await prepare(
      'SELECT position, id FROM events WHERE stream = ? AND revision = ?',
    )) as Database.Statement;
    return new LogWriter(database, {
      begin: await prepare('BEGIN IMMEDIATE'),
      commit: await prepare('COMMIT'),
      insert: await prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`),
      at: at.raw(),
    });
  }

  begin(): void {
    this.statements.begin.run();
  }

  insert(event: SerializedEvent, { stream, revision, position }: Place): void {
    const { id, type, data, metadata } = event;
    this.statements.insert.run(position, stream, revision, id, type, data, metadata);
  }

  /** An event's id and position, also when it was inserted and not yet committed. */
  at(stream: string, revision: number): { readonly id: string; readonly position: number } | undefined {
    const row = this.statements.at.get(stream, revision) as [number, string] | undefined;
    return row && { position: row[0], id: row[1] };
  }

  /** Makes what was inserted durable and visible. This thread waits for the disk. */
  commit(): void {
    this.statements.commit.run();
  }

  /** As {@link commit}, but a thread of the driver's waits for the disk. No other call meanwhile. */
  commitAside(): Promise<void> {
    return execute(this.database, 'COMMIT');
  }

  /** Does nothing where SQLite has rolled back by itself, as it does when the disk is full. */
  async rollback(): Promise<void> {
    if (this.database.inTransaction === true) await execute(this.database, 'ROLLBACK');
  }

  close(): void {
    this.database.close();
  }
}

function execute(database: AsyncDatabase, sql: string): Promise<void> {
  return database.exec(sql) as Promise<void>;
}
