import type Database from 'libsql';
import AsyncDatabase from 'libsql/promise';

/** A prepared statement: synchronous, with rows as arrays. */
export type WriteStatement = Pick<Database.Statement, 'run' | 'get'>;

/**
 * A connection to a SQLite file that only writes, one transaction at a time. Reads use another connection, because this one sees
 * uncommitted changes. Its errors are SQLite's own.
 */
export class WriteConnection {
  private constructor(
    private readonly database: AsyncDatabase & { readonly inTransaction?: boolean },
    private readonly beginning: WriteStatement,
  ) {}

  /** Opens a file whose tables exist. */
  static async open(file: string, pragmas: readonly string[]): Promise<WriteConnection> {
    const database = new AsyncDatabase(file, {});
    for (const pragma of pragmas) await execute(database, `PRAGMA ${pragma}`);
    return new WriteConnection(database, await prepare(database, 'BEGIN IMMEDIATE'));
  }

  prepare(sql: string): Promise<WriteStatement> {
    return prepare(this.database, sql);
  }

  /**
   * Runs `task` in a transaction. When this resolves, its changes are durable and visible to others. After an error none of them are,
   * unless the commit itself failed. One at a time. The event loop continues during the sync.
   */
  async transaction<Result>(task: () => Result): Promise<Result> {
    this.beginning.run();
    try {
      const result = task();
      await this.commit();
      return result;
    } catch (error) {
      // When the disk is full, SQLite has already rolled back by itself.
      if (this.database.inTransaction === true) await execute(this.database, 'ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.database.close();
  }

  /** Commits the transaction on a thread of the driver. */
  commit(): Promise<void> {
    return execute(this.database, 'COMMIT');
  }
}

async function prepare(database: AsyncDatabase, sql: string): Promise<WriteStatement> {
  const statement = (await database.prepare(sql)) as Database.Statement;
  // Only a statement with result rows has a raw mode.
  return statement.reader ? statement.raw() : statement;
}

function execute(database: AsyncDatabase, sql: string): Promise<void> {
  return database.exec(sql) as Promise<void>;
}
