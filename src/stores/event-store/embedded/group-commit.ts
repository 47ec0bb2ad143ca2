import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { EventStoreUnavailableError, type AppendResult } from '../port.js';
import type { AdvanceRecord } from '../head-record.js';
import { AppendTransaction, type CheckedAppend } from './append-transaction.js';
import type { LogFile } from './log-file.js';
import { LogWriter } from './log-writer.js';
import type { CommittedEvent } from './recent-events.js';

interface PendingAppend extends CheckedAppend {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
}

/** Maximum number of appends in one transaction. */
const MAX_GROUP = 256;

/**
 * Appends that arrive in the same turn of the event loop, or during a commit, share one transaction and one sync of the disk. Each is
 * accepted or refused separately, in order of arrival.
 */
export class GroupCommit {
  readonly #pending: PendingAppend[] = [];
  #writer: LogWriter | null = null;
  #committing: Promise<void> | null = null;

  constructor(
    private readonly file: LogFile,
    /** Called after each commit that wrote events. */
    private readonly onCommit: (committed: readonly CommittedEvent[]) => void,
    /** Updates the record of the log's end with each commit; null: there is no record. */
    private readonly advance: AdvanceRecord | null = null,
  ) {}

  /** @throws WrongExpectedRevisionError, EventStoreUnavailableError */
  append({ stream, expected, events }: CheckedAppend): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ stream, expected, events, resolve, reject });
      this.#committing ??= this.#commitPending();
    });
  }

  /** Replaces the record of the log's end. There must be no append meanwhile. */
  async writeHeadRecord(record: string): Promise<void> {
    await this.#committing;
    const writer = (this.#writer ??= await LogWriter.open(this.file.path));
    await writer.transaction(() => writer.putHeadRecord(record));
  }

  /** Commits waiting appends and closes the file. No append may follow. */
  async close(): Promise<void> {
    await this.#committing;
    this.#writer?.close();
  }

  async #commitPending(): Promise<void> {
    await yieldToEventLoop();
    while (this.#pending.length > 0) await this.#commitGroup(this.#pending.splice(0, MAX_GROUP));
    this.#committing = null;
  }

  async #commitGroup(group: readonly PendingAppend[]): Promise<void> {
    let committing = false;
    try {
      const writer = (this.#writer ??= await LogWriter.open(this.file.path));
      const { transaction, outcomes } = await writer.transaction(() => {
        const transaction = new AppendTransaction(writer, group[0]!.stream);
        const outcomes = group.map((append) => transaction.append(append));
        if (this.advance !== null) transaction.noteHead(this.advance);
        committing = true;
        return { transaction, outcomes };
      });
      resolveAll(group, outcomes);
      if (transaction.written.length > 0) this.onCommit(transaction.written);
    } catch (error) {
      const failure = toUnavailable(error, committing);
      for (const { reject } of group) reject(failure);
    }
  }
}

function resolveAll(group: readonly PendingAppend[], outcomes: readonly (AppendResult | Error)[]): void {
  for (const [index, { resolve, reject }] of group.entries()) {
    const outcome = outcomes[index]!;
    if (outcome instanceof Error) reject(outcome);
    else resolve(outcome);
  }
}

/**
 * A commit that failed for lack of disk space has not written its last frame. After any other error it may be complete on the disk, and
 * SQLite's recovery would apply it.
 */
function toUnavailable(error: unknown, committing: boolean): EventStoreUnavailableError {
  const full = (error as { code?: unknown }).code === 'SQLITE_FULL';
  const message = full ? 'The disk of the event log is full' : 'The event log cannot be written';
  return new EventStoreUnavailableError(message, committing && !full ? 'unknown' : false, { cause: error });
}
