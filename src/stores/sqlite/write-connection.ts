import type Database from 'libsql';
import AsyncDatabase from 'libsql/promise';

/** A prepared statement: synchronous, rows as arrays. */
export type WriteStatement = Pick<Database.Statement, 'run' | 'get'>;

/**
 * A connection to a SQLite file that only writes, one transaction at a time. What is to be read is read over another
 * connection, since this one sees changes before they are committed. Errors are as SQLite throws them.
 */
export class WriteConnection {
  private constructor(
    private readonly database: AsyncDatabase & { readonly inTransaction?: boolean },
    private readonly beginning: WriteStatement,
  ) {}

  /** Opens a file that has its tables already. */
  static async open(file: string, pragmas: readonly string[]): Promise<WriteConnection> {
    const database = new AsyncDatabase(file, {});
    for (const pragma of pragmas) await execute(database, `PRAGMA ${pragma}`);
    return new WriteConnection(database, await prepare(database, 'BEGIN IMMEDIATE'));
  }

  prepare(sql: string): Promise<WriteStatement> {
    return prepare(this.database, sql);
  }

  /**
   * Runs `task` in a transaction: all of it is durable, and visible to others, when this resolves; after an error, none of
   * it is, unless the commit itself broke off. One at a time. While the disk is waited for this thread goes on.
   */
  async transaction<Result>(task: () => Result): Promise<Result> {
    this.beginning.run();
    try {
      const result = task();
      await this.commit();
      return result;
    } catch (error) {
      // SQLite has rolled back by itself where the disk was full.
      if (this.database.inTransaction === true) await execute(this.database, 'ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.database.close();
  }

  /** Ends the transaction, on a thread of the driver's. */
  commit(): Promise<void> {
    return execute(this.database, 'COMMIT');
  }
}

async function prepare(database: AsyncDatabase, sql: string): Promise<WriteStatement> {
  const statement = (await database.prepare(sql)) as Database.Statement;
  // Only a statement that answers rows has a raw mode.
  return statement.reader ? statement.raw() : statement;
}

function execute(database: AsyncDatabase, sql: string): Promise<void> {
  return database.exec(sql) as Promise<void>;
}
