import type { Connection, Row, SqlValue } from './connection.js';

/** Where queries read their rows: over the connection itself, or so that what takes too long can be ended. */
export interface RowReader {
  /** What is made of each row of a query: many rows are never in memory together. */
  rows<Result>(
    sql: string,
    parameters: readonly SqlValue[],
    resultOf: (row: Row) => Result,
  ): Promise<Result[]>;
  /** The first row of a query; undefined when there is none. */
  row(sql: string, parameters: readonly SqlValue[]): Promise<Row | undefined>;
  /** Runs a task whose queries, asked of the reader that it is given, all see the same state. */
  snapshot<Result>(task: (reader: RowReader) => Promise<Result>): Promise<Result>;
}

/** Lets one task after the other run. */
export class Lock {
  private last: Promise<unknown> = Promise.resolve();

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** Reads over a connection at once: nothing else happens in its thread meanwhile. */
export class DirectReader implements RowReader {
  private readonly lock = new Lock();
  private readonly within: RowReader = {
    rows: (sql, parameters, resultOf) => this.rows(sql, parameters, resultOf),
    row: (sql, parameters) => this.row(sql, parameters),
    snapshot: (task) => task(this.within),
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

  /** Runs a task while no snapshot is being looked at: a connection has one transaction at a time. */
  alone<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.lock.run(task);
  }

  snapshot<Result>(task: (reader: RowReader) => Promise<Result>): Promise<Result> {
    return this.alone(async () => {
      this.connection.exec('BEGIN');
      try {
        return await task(this.within);
      } finally {
        this.connection.exec('COMMIT');
      }
    });
  }
}
