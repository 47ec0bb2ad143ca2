import Database from 'libsql';
import { prepareSchema } from '../../../src/stores/event-store/embedded/schema.js';
import type { PersistedEvent } from '../../../src/stores/event-store/port.js';

/** A row of the log, as the driver binds it. */
export type BareRow = readonly [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
];

/** The log's table in the same kind of file, written with the driver alone. */
export class BareLog {
  private readonly database: Database.Database;
  private readonly statement: Database.Statement;

  constructor(file: string) {
    this.database = new Database(file);
    this.database.exec('PRAGMA journal_mode = WAL');
    this.database.exec('PRAGMA synchronous = FULL');
    prepareSchema(this.database, file);
    this.statement = this.database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)');
  }

  /** Inserts rows in one transaction; they are durable when this returns. */
  insertTogether(rows: readonly BareRow[]): void {
    this.database.exec('BEGIN IMMEDIATE');
    for (const row of rows) this.statement.run(row);
    this.database.exec('COMMIT');
  }

  close(): void {
    this.database.close();
  }
}

/** Converts an event to a row of the log. */
export function bareRow({ position, stream, revision, id, type, data, metadata }: PersistedEvent): BareRow {
  return [position, stream, revision, id, type, JSON.stringify(data), JSON.stringify(metadata)];
}
