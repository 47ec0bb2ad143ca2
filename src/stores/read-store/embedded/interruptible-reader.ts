import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'libsql/promise';
import { LRUCache } from 'lru-cache';
import { DeadlineExceededError, ReadStoreUnavailableError, type ReadControl } from '../port.js';
import { BUSY_TIMEOUT_MS, translate, type Row, type SqlValue } from './connection.js';
import { Lock, type RowReader } from './row-reader.js';
import { StatementPace } from './statement-pace.js';

/** What of the driver's asynchronous interface is used; it comes without types. */
interface AsynchronousDatabase {
  /** The driver has it, though its types do not. */
  readonly inTransaction?: boolean;
  prepare(sql: string): Promise<AsynchronousStatement>;
  exec(sql: string): Promise<void>;
  interrupt(): void;
  close(): void;
}

interface AsynchronousStatement {
  raw(): AsynchronousStatement;
  iterate(parameters: readonly SqlValue[]): Promise<Iterable<Row>>;
}

/** Characters of SQL whose prepared statements are kept. */
const STATEMENT_CACHE = 1_000_000;

/** After so many rows whatever else happens in this thread has its turn. */
const ROWS_AT_ONCE = 256;

/** A statement that is about to begin does not hear an interruption: it is repeated after so many milliseconds. */
const INTERRUPT_AGAIN = 20;

/**
 * One for the whole thread. A thread that is ended while the driver runs a statement for it takes the process with it: the driver
 * finds nobody to hand the rows to. So no statement runs while this thread computes: the next one begins a turn of the event loop
 * after the one before, when what was to be done with its rows is done. Whoever ends a thread that does not react, or whose memory
 * is used up, then ends no statement.
 */
const statementsOfThread = new Lock();

/** How statements went, by their texts: most are a look into an index, for which another thread is a detour. */
const paces = new LRUCache<string, StatementPace>({ max: 2_000 });

/**
 * Reads over a connection of its own on threads of the driver's, so that this thread can end a statement that takes too long: it is
 * interrupted within its first row. The statements of the adapter answer a page in one row; those that answer many are looked
 * after between the rows. What was always quick is read at once, over the other connection.
 */
export class InterruptibleReader implements RowReader {
  private readonly statements = new LRUCache<string, AsynchronousStatement>({
    maxSize: STATEMENT_CACHE,
    sizeCalculation: (_statement, sql) => sql.length,
  });
  /** For who has the lock. */
  private readonly within: RowReader = {
    rows: (sql, parameters, resultOf) => this.guard(() => this.iterate(sql, parameters, resultOf)),
    row: (sql, parameters) =>
      this.guard(async () => {
        const [first, ...others] = await this.iterate(sql, parameters, (row) => row);
        if (others.length > 0) throw new Error('A statement that is read for one row answered several');
        return first;
      }),
    snapshot: (task) => task(this.within),
  };
  private isOpen = true;
  /** Null: nothing was read yet. */
  private ready: Promise<void> | null = null;

  private constructor(
    private readonly database: AsynchronousDatabase,
    private readonly direct: RowReader,
    private readonly control: ReadControl,
  ) {}

  /**
   * @param direct reads the same file at once
   * @throws {ReadStoreUnavailableError} when the file cannot be opened.
   */
  static open(file: string, direct: RowReader, control: ReadControl): InterruptibleReader {
    try {
      const database = new Database(file, { timeout: BUSY_TIMEOUT_MS / 1000 }) as AsynchronousDatabase;
      return new InterruptibleReader(database, direct, control);
    } catch (cause) {
      throw new ReadStoreUnavailableError(`The read store cannot open ${file}`, { cause });
    }
  }

  rows<Result>(
    sql: string,
    parameters: readonly SqlValue[],
    resultOf: (row: Row) => Result,
  ): Promise<Result[]> {
    return this.read(sql, (reader) => reader.rows(sql, parameters, resultOf));
  }

  row(sql: string, parameters: readonly SqlValue[]): Promise<Row | undefined> {
    return this.read(sql, (reader) => reader.row(sql, parameters));
  }

  snapshot<Result>(task: (reader: RowReader) => Promise<Result>): Promise<Result> {
    return this.withLock(async () => {
      await this.guard(() => this.database.exec('BEGIN'));
      try {
        return await task(this.within);
      } finally {
        // Nothing was written; after an interruption it may have ended already.
        if (this.database.inTransaction) await this.database.exec('ROLLBACK');
      }
    });
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.statements.clear();
    this.database.close();
  }

  private async read<Result>(sql: string, ask: (reader: RowReader) => Promise<Result>): Promise<Result> {
    const pace = paces.get(sql) ?? new StatementPace();
    paces.set(sql, pace);
    if (pace.isQuick) {
      this.refuseLate();
      return pace.measure(() => ask(this.direct));
    }
    return this.withLock(() => pace.measure(() => ask(this.within)));
  }

  private withLock<Result>(task: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      void statementsOfThread.run(async () => {
        this.control.running(1);
        await task().then(resolve, reject);
        this.control.running(0);
        await nextTurn();
      });
    });
  }

  private refuseLate(): AbortSignal | null {
    if (!this.isOpen) throw new ReadStoreUnavailableError('The read store is closed');
    const { signal, at } = this.control.deadline() ?? { signal: null, at: Infinity };
    signal?.throwIfAborted();
    // The timer of the deadline has no turn while statements are read at once.
    if (performance.now() > at) throw new DeadlineExceededError('The deadline is over');
    return signal;
  }

  private async iterate<Result>(
    sql: string,
    parameters: readonly SqlValue[],
    resultOf: (row: Row) => Result,
  ): Promise<Result[]> {
    const statement = this.statements.get(sql) ?? (await this.database.prepare(sql)).raw();
    this.statements.set(sql, statement);
    const results: Result[] = [];
    for (const row of await statement.iterate(parameters)) {
      results.push(resultOf(row));
      // An interruption comes in between, and the next row is an error.
      if (results.length % ROWS_AT_ONCE === 0) await nextTurn();
    }
    return results;
  }

  /** Ends the task's statement as soon as the deadline is over, with the reason that the deadline gives. */
  private async guard<Result>(task: () => Promise<Result>): Promise<Result> {
    const signal = this.refuseLate();
    let again: NodeJS.Timeout | undefined;
    const interrupt = (): void => {
      this.database.interrupt();
      again = setInterval(() => this.database.interrupt(), INTERRUPT_AGAIN);
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    try {
      await (this.ready ??= this.database.exec('PRAGMA query_only = ON'));
      return await task();
    } catch (error) {
      signal?.throwIfAborted();
      throw translate(error);
    } finally {
      clearInterval(again);
      signal?.removeEventListener('abort', interrupt);
    }
  }
}
