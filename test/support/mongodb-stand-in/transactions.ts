import type { Document } from 'mongodb';
import { keyOf, mustBeOk } from './collections.js';
import { noSuchTransaction, transactionTooOld } from './failures.js';
import type { Gate, Locks } from './locks.js';
import { databaseOfCopies, Transaction } from './transaction.js';
import type { Upstream } from './wire.js';

/** The lifetime of a transaction in milliseconds: the default of MongoDB's `transactionLifetimeLimitSeconds`. */
const lifetime = 60_000;

/** The last transaction of a session. */
interface Latest {
  readonly number: number;
  readonly transaction: Transaction;
  state: 'open' | 'committed' | 'aborted';
  readonly expires: NodeJS.Timeout;
  /** Its running statement; never rejects. */
  running: Promise<unknown>;
}

/** How many transactions ended in which way. */
export interface TransactionCounts {
  committed: number;
  aborted: number;
  /** Those that exceeded their lifetime, also counted as aborted. */
  expired: number;
  /** Those whose session was killed, also counted as aborted. */
  killed: number;
}

/** The transactions of all sessions. */
export class Transactions {
  readonly counts: TransactionCounts = { committed: 0, aborted: 0, expired: 0, killed: 0 };
  private readonly sessions = new Map<string, Latest>();
  private readonly freeSlots: number[] = [];
  private slots = 0;

  constructor(
    private readonly locks: Locks,
    private readonly gate: Gate,
    /** Cleans up after transactions that nobody ends. */
    private readonly upstream: Upstream,
  ) {}

  /** @throws Refusal, which also ends the transaction */
  async run(upstream: Upstream, command: Document): Promise<Document> {
    const { txnNumber, startTransaction, autocommit: _, lsid, readConcern: __, ...statement } = command;
    const session = sessionOf(lsid as Document);
    const latest =
      startTransaction === true ? this.begin(session, Number(txnNumber)) : this.latest(session, command);
    try {
      const answered = this.gate.together(() => latest.transaction.run(upstream, statement));
      latest.running = answered.catch(() => undefined);
      const reply = await answered;
      // It was ended during the statement.
      if (latest.state !== 'open') throw noSuchTransaction();
      if (reply['writeErrors'] !== undefined || Number(reply['ok']) !== 1) await this.abort(latest);
      return reply;
    } catch (error) {
      await this.abort(latest);
      throw error;
    }
  }

  async commit(upstream: Upstream, command: Document): Promise<Document> {
    const latest = this.latest(sessionOf(command['lsid'] as Document), command, 'committed');
    if (latest.state === 'committed') return { ok: 1 };
    clearTimeout(latest.expires);
    latest.state = 'committed';
    this.counts.committed += 1;
    await this.gate.byItself(() => latest.transaction.carryBack(upstream));
    await this.cleanUp(latest);
    return { ok: 1 };
  }

  async abortAsAsked(command: Document): Promise<Document> {
    await this.abort(this.latest(sessionOf(command['lsid'] as Document), command));
    return { ok: 1 };
  }

  /** Ends the open transactions of sessions. */
  async kill(sessions: readonly Document[]): Promise<Document> {
    for (const session of sessions) {
      const latest = this.sessions.get(sessionOf(session));
      if (latest?.state !== 'open') continue;
      this.counts.killed += 1;
      await this.abort(latest);
    }
    return { ok: 1 };
  }

  /** Removes the copies of a database, once no transaction uses it any more. */
  async dropCopies(upstream: Upstream, database: string): Promise<void> {
    for (let slot = 1; slot <= this.slots; slot += 1) {
      mustBeOk(await upstream.command({ dropDatabase: 1, $db: databaseOfCopies(database, slot) }));
    }
  }

  /** Ends the open transactions of all sessions as if they had exceeded their lifetime. */
  async expireAll(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((latest) => this.expire(latest)));
  }

  close(): void {
    for (const { expires } of this.sessions.values()) clearTimeout(expires);
  }

  private begin(session: string, number: number): Latest {
    const before = this.sessions.get(session);
    if (before !== undefined && before.number >= number) throw transactionTooOld();
    // A session has only one transaction: the next one ends the previous one.
    if (before?.state === 'open') void this.abort(before);
    const latest: Latest = {
      number,
      transaction: new Transaction(this.locks, this.freeSlots.pop() ?? (this.slots += 1)),
      state: 'open',
      expires: setTimeout(() => void this.expire(latest), lifetime),
      running: Promise.resolve(),
    };
    this.sessions.set(session, latest);
    return latest;
  }

  private latest(session: string, { txnNumber }: Document, also?: 'committed'): Latest {
    const latest = this.sessions.get(session);
    const isThere =
      latest?.number === Number(txnNumber) && (latest.state === 'open' || latest.state === also);
    if (!isThere) throw noSuchTransaction();
    return latest;
  }

  private async expire(latest: Latest): Promise<void> {
    if (latest.state === 'open') this.counts.expired += 1;
    await this.abort(latest);
  }

  private async abort(latest: Latest): Promise<void> {
    if (latest.state !== 'open') return;
    clearTimeout(latest.expires);
    latest.state = 'aborted';
    this.counts.aborted += 1;
    await this.cleanUp(latest);
  }

  private async cleanUp({ transaction, state, running }: Latest): Promise<void> {
    await running;
    await transaction.end(this.upstream, state === 'committed');
    this.freeSlots.push(transaction.slot);
  }
}

/** Drivers identify a session by a binary id. */
function sessionOf({ id }: Document): string {
  return keyOf(id);
}
