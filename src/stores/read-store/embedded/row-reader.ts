import type { Connection, Row, SqlValue } from './connection.js';

/** Reads rows for queries: directly on a connection, or in a way that can be interrupted. */
export interface RowReader {
  /** Converts each row of a query as it is read, so that many rows are never in memory together. */
  rows<Result>(
    sql: string,
    parameters: readonly SqlValue[],
    resultOf: (row: Row) => Result,
  ): Promise<Result[]>;
  /** The first row of a query; undefined: there is none. */
  row(sql: string, parameters: readonly SqlValue[]): Promise<Row | undefined>;
  /** Runs a task whose queries, on the given reader, all see the same state. */
  snapshot<Result>(task: (reader: RowReader) => Promise<Result>): Promise<Result>;
  /** To be called once for each statement, with the number of rows that it read: a page of documents is returned in one row. */
  noteRows(count: number): void;
}

/** Runs tasks one after another. */
export class Lock {
  private last: Promise<unknown> = Promise.resolve();

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** Reads synchronously on a connection, which blocks its thread meanwhile. */
export class DirectReader implements RowReader {
  private readonly lock = new Lock();
  private readonly within: RowReader = {
    rows: (sql, parameters, resultOf) => this.rows(sql, parameters, resultOf),
    row: (sql, parameters) => this.row(sql, parameters),
    snapshot: (task) => task(this.within),
    noteRows: () => this.noteRows(),
  };

  constructor(private readonly connection: Connection) {}

  async rows<Result>(
    sql: string,
    parameters: readonly SqlValue[],
    resultOf: (row: Row) => Result,
  ): Promise<Result[]> {
    return this.connection.rows(sql, parameters).map(resultOf);
  }

  async row(sql: string, parameters: readonly SqlValue[]): Promise<Row | undefined> {
    return this.connection.row(sql, parameters);
  }

  /** Rows are counted for queries on reader threads, which read in a way that can be interrupted. */
  noteRows(): void {}

  /** Runs a task while no snapshot is open, because a connection has only one transaction at a time. */
  withLock<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.lock.run(task);
  }

  snapshot<Result>(task: (reader: RowReader) => Promise<Result>): Promise<Result> {
    return this.withLock(async () => {
      this.connection.exec('BEGIN');
      try {
        return await task(this.within);
      } finally {
        this.connection.exec('COMMIT');
      }
    });
  }
}
