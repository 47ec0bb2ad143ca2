import { EventStoreUnavailableError } from '../port.js';
import type { AppendResult } from '../port.js';
import { AppendTransaction } from './append-transaction.js';
import type { CheckedAppend } from './append-transaction.js';
import type { LogFile } from './log-file.js';
import type { RecentIds } from './recent-ids.js';

interface PendingAppend extends CheckedAppend {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
}

/** The most appends in one transaction: the next ones wait a turn, so that a commit never holds the thread for long. */
const MAX_GROUP = 256;

/**
 * Appends that arrive in the same turn of the event loop, or while a commit holds the thread, share one transaction and
 * with it one sync of the disk. Each is accepted or refused on its own, in the order in which they came.
 */
export class GroupCommit {
  readonly #pending: PendingAppend[] = [];
  readonly #recentIds = new Map<string, RecentIds>();
  #scheduled = false;

  constructor(
    private readonly file: LogFile,
    /** Called after each commit that wrote something. */
    private readonly onCommit: () => void,
  ) {}

  /** @throws WrongExpectedRevisionError, EventStoreUnavailableError */
  append({ stream, expected, events }: CheckedAppend): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ stream, expected, events, resolve, reject });
      this.#schedule();
    });
  }

  /** Commits what is waiting, now. */
  flush(): void {
    while (this.#pending.length > 0) this.#commitGroup();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#commitGroup();
      if (this.#pending.length > 0) this.#schedule();
    });
  }

  #commitGroup(): void {
    const group = this.#pending.splice(0, MAX_GROUP);
    if (group.length === 0) return;
    let committing = false;
    try {
      this.file.begin();
      const transaction = new AppendTransaction(this.file, this.#recentIds);
      const outcomes = group.map((append) => transaction.append(append));
      committing = true;
      this.file.commit();
      transaction.committed();
      settle(group, outcomes);
      if (transaction.wrote) this.onCommit();
    } catch (error) {
      const failure = toUnavailable(error, committing);
      for (const { reject } of group) reject(failure);
      this.file.rollback();
    }
  }
}

function settle(group: readonly PendingAppend[], outcomes: readonly (AppendResult | Error)[]): void {
  for (const [index, { resolve, reject }] of group.entries()) {
    const outcome = outcomes[index]!;
    if (outcome instanceof Error) reject(outcome);
    else resolve(outcome);
  }
}

/**
 * A commit that ran out of room has not written its last frame. After any other error all of it may lie on the disk,
 * for a recovery to find.
 */
function toUnavailable(error: unknown, committing: boolean): EventStoreUnavailableError {
  const full = (error as { code?: unknown }).code === 'SQLITE_FULL';
  const message = full ? 'The disk of the event log is full' : 'The event log cannot be written';
  return new EventStoreUnavailableError(message, committing && !full ? 'unknown' : false, { cause: error });
}
