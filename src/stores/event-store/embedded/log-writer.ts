import { WriteConnection, type WriteStatement } from '../../sqlite/write-connection.js';
import type { SerializedEvent } from '../validate-append.js';
import { BUSY_TIMEOUT, type Place } from './log-file.js';
import { shorten } from './shorthand.js';

const COLUMNS = 'position, stream, revision, id, type, data, metadata';

const pragmas = [`busy_timeout = ${BUSY_TIMEOUT}`, 'synchronous = FULL', 'journal_size_limit = 67108864'];

/** The prepared statements of a {@link LogWriter}. */
interface LogStatements {
  readonly insertion: WriteStatement;
  readonly byId: WriteStatement;
  readonly lastOnes: WriteStatement;
  readonly readHeadRecord: WriteStatement;
  readonly writeHeadRecord: WriteStatement;
}

/** The connection that appends to the log. */
export class LogWriter {
  private constructor(
    private readonly connection: WriteConnection,
    private readonly statements: LogStatements,
  ) {}

  /** Opens a file whose tables exist. */
  static async open(file: string): Promise<LogWriter> {
    const connection = await WriteConnection.open(file, pragmas);
    return new LogWriter(connection, {
      insertion: await connection.prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`),
      byId: await connection.prepare(
        'SELECT CAST(stream AS BLOB), revision, position FROM events WHERE id = ?',
      ),
      lastOnes: await connection.prepare(
        'SELECT (SELECT max(position) FROM events), (SELECT max(revision) FROM events WHERE stream = ?)',
      ),
      readHeadRecord: await connection.prepare('SELECT CAST(record AS BLOB) FROM log_end'),
      writeHeadRecord: await connection.prepare(
        'INSERT INTO log_end VALUES (1, ?) ON CONFLICT DO UPDATE SET record = excluded.record',
      ),
    });
  }

  /** See {@link WriteConnection.transaction}. */
  transaction<Result>(task: () => Result): Promise<Result> {
    return this.connection.transaction(task);
  }

  /**
   * Position of the last event of the log (0: none) and revision of the last event of a stream (-1: none), including what the open
   * transaction inserted. This connection has those pages cached; a reading connection would load them again after each commit.
   */
  ends(stream: string): { readonly head: number; readonly tail: number } {
    const [head, tail] = this.statements.lastOnes.get(stream) as [number | null, number | null];
    return { head: head ?? 0, tail: tail ?? -1 };
  }

  insert(event: SerializedEvent, { stream, revision, position }: Place): void {
    const { id, type, data, metadata } = event;
    this.statements.insertion.run(
      position,
      stream,
      revision,
      id,
      type,
      shorten(data, id),
      shorten(metadata, id),
    );
  }

  /** The place of the event with an id, also if it was inserted but not committed yet. */
  placeOf(id: string): Place | undefined {
    const row = this.statements.byId.get(id) as [Uint8Array, number, number] | undefined;
    return row && { stream: Buffer.from(row[0]).toString('utf8'), revision: row[1], position: row[2] };
  }

  /** The record of the log's end in the open transaction; null: there is none. */
  headRecord(): string | null {
    const row = this.statements.readHeadRecord.get() as [Uint8Array] | undefined;
    return row === undefined ? null : Buffer.from(row[0]).toString('latin1');
  }

  putHeadRecord(record: string): void {
    this.statements.writeHeadRecord.run(record);
  }

  close(): void {
    this.connection.close();
  }
}
