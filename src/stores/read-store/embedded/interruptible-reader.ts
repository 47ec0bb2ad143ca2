import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Database from 'libsql/promise';
import { LRUCache } from 'lru-cache';
import { DeadlineExceededError, ReadStoreUnavailableError, type ReadControl } from '../port.js';
import { BUSY_TIMEOUT_MS, translate, type Row, type SqlValue } from './connection.js';
import { Lock, type RowReader } from './row-reader.js';

/** A statement that took no more milliseconds was fast. */
const QUICK = 4;

/** Number of consecutive fast runs after which the next one is expected to be fast. */
const AFTER = 2;

/** The same after a run that was slow. */
const AFTER_SLOW = 50;

/** Predicts from a statement's past runs whether it is fast, or should run where it can be interrupted. */
export class StatementPace {
  private quickInARow = 0;
  private wanted = AFTER;

  get isQuick(): boolean {
    return this.quickInARow >= this.wanted;
  }

  async measure<Result>(run: () => Promise<Result>): Promise<Result> {
    const from = performance.now();
    try {
      return await run();
    } finally {
      this.note(performance.now() - from);
    }
  }

  /** @param milliseconds that the statement took */
  note(milliseconds: number): void {
    if (milliseconds <= QUICK) {
      this.quickInARow += 1;
      return;
    }
    this.quickInARow = 0;
    this.wanted = AFTER_SLOW;
  }
}

/** The part of the driver's untyped asynchronous interface that is used. */
interface AsynchronousDatabase {
  /** Missing in the driver's types. */
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

/** Maximum total length of SQL whose prepared statements are cached. */
const STATEMENT_CACHE = 1_000_000;

/** Number of rows after which the event loop gets a turn. */
const ROWS_AT_ONCE = 256;

/** In milliseconds. A statement that is just beginning ignores an interruption, which is therefore repeated after this time. */
const INTERRUPT_AGAIN = 20;

/**
 * One lock for the whole thread. Terminating a thread while the driver executes a statement for it crashes the process, because the driver
 * has nowhere to return the rows to. So no statement runs while this thread computes: each begins a turn of the event loop after the
 * previous one, when its rows have been handled. A thread that is terminated because it does not react, or has no memory left, then has no
 * running statement.
 */
const statementsOfThread = new Lock();

/** How long statements took, by SQL. Most are index look-ups, for which another thread is a detour. */
const paces = new LRUCache<string, StatementPace>({ max: 2_000 });

/**
 * Reads on a connection of its own, on threads of the driver, so that this thread can interrupt a statement that takes too long. The
 * interruption takes effect before its first row: the adapter's statements return a page in one row, and those with many rows are checked
 * between rows. Statements that have always been fast run directly, on the other connection.
 */
export class InterruptibleReader implements RowReader {
  private readonly statements = new LRUCache<string, AsynchronousStatement>({
    maxSize: STATEMENT_CACHE,
    sizeCalculation: (_statement, sql) => sql.length,
  });
  /** For a task that holds the lock. */
  private readonly within: RowReader = {
    rows: (sql, parameters, resultOf) => this.guard(() => this.iterate(sql, parameters, resultOf)),
    row: (sql, parameters) =>
      this.guard(async () => {
        const [first, ...others] = await this.iterate(sql, parameters, (row) => row);
        if (others.length > 0) throw new Error('A statement that is read for one row answered several');
        return first;
      }),
    snapshot: (task) => task(this.within),
    noteRows: (count) => this.noteRows(count),
  };
  private isOpen = true;
  /** Null: there was no read yet, or it failed before it began. */
  private ready: Promise<void> | null = null;

  private constructor(
    private readonly database: AsynchronousDatabase,
    private readonly direct: RowReader,
    private readonly control: ReadControl,
  ) {}

  /**
   * @param direct reads the same file synchronously
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
        // There was no write; an interruption may already have ended the transaction.
        if (this.database.inTransaction) await this.database.exec('ROLLBACK');
      }
    });
  }

  noteRows(count: number): void {
    this.control.rowsRead(count);
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
        await yieldToEventLoop();
      });
    });
  }

  private refuseLate(): AbortSignal | null {
    if (!this.isOpen) throw new ReadStoreUnavailableError('The read store is closed');
    const { signal, at } = this.control.deadline() ?? { signal: null, at: Infinity };
    signal?.throwIfAborted();
    // The deadline's timer cannot fire during synchronous statements.
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
      // An interruption can take effect here, and then the next row is an error.
      if (results.length % ROWS_AT_ONCE === 0) await yieldToEventLoop();
    }
    return results;
  }

  /** Interrupts the task's statement when the deadline is over, with the deadline's reason. */
  private async guard<Result>(task: () => Promise<Result>): Promise<Result> {
    const signal = this.refuseLate();
    let again: NodeJS.Timeout | undefined;
    const interrupt = (): void => {
      this.database.interrupt();
      again = setInterval(() => this.database.interrupt(), INTERRUPT_AGAIN);
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    try {
      await this.refuseWrites();
      return await task();
    } catch (error) {
      signal?.throwIfAborted();
      throw translate(error);
    } finally {
      clearInterval(again);
      signal?.removeEventListener('abort', interrupt);
    }
  }

  /** Before the first read; again if that failed, for example because it was interrupted. */
  private async refuseWrites(): Promise<void> {
    this.ready ??= this.database.exec('PRAGMA query_only = ON');
    try {
      await this.ready;
    } catch (error) {
      this.ready = null;
      throw error;
    }
  }
}
