import { WriteConnection, type CommitPlace, type WriteStatement } from '../../sqlite/write-connection.js';
import type { SerializedEvent } from '../validate-append.js';
import { BUSY_TIMEOUT, type Place } from './log-file.js';

const COLUMNS = 'position, stream, revision, id, type, data, metadata';

const PRAGMAS = [`busy_timeout = ${BUSY_TIMEOUT}`, 'synchronous = FULL', 'journal_size_limit = 67108864'];

/** The connection that appends to the log, a transaction at a time. */
export class LogWriter {
  private constructor(
    private readonly connection: WriteConnection,
    private readonly insertion: WriteStatement,
    private readonly selection: WriteStatement,
    private readonly lastOnes: WriteStatement,
  ) {}

  /** Opens a file that has its tables already. */
  static async open(file: string): Promise<LogWriter> {
    const connection = await WriteConnection.open(file, PRAGMAS);
    return new LogWriter(
      connection,
      await connection.prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`),
      await connection.prepare(
        'SELECT position, CAST(id AS BLOB) FROM events WHERE stream = ? AND revision = ?',
      ),
      await connection.prepare(
        'SELECT (SELECT max(position) FROM events), (SELECT max(revision) FROM events WHERE stream = ?)',
      ),
    );
  }

  /** See {@link WriteConnection.transaction}. */
  transaction<Result>(task: () => Result, place: CommitPlace): Promise<Result> {
    return this.connection.transaction(task, place);
  }

  /**
   * The position of the log's last event, 0 when there is none, and the revision of a stream's, -1 when there is none. Both
   * count what the open transaction inserted. This connection has those pages at hand, where one that reads would fetch them
   * anew after each commit.
   */
  ends(stream: string): { readonly head: number; readonly tail: number } {
    const [head, tail] = this.lastOnes.get(stream) as [number | null, number | null];
    return { head: head ?? 0, tail: tail ?? -1 };
  }

  insert(event: SerializedEvent, { stream, revision, position }: Place): void {
    const { id, type, data, metadata } = event;
    this.insertion.run(position, stream, revision, id, type, data, metadata);
  }

  /** An event's id and position, also when it was inserted and is not committed yet. */
  at(stream: string, revision: number): { readonly id: string; readonly position: number } | undefined {
    const row = this.selection.get(stream, revision) as [number, Uint8Array] | undefined;
    return row && { position: row[0], id: Buffer.from(row[1]).toString('latin1') };
  }

  close(): void {
    this.connection.close();
  }
}
