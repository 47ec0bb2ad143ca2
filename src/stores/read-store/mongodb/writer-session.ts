import {
  Binary,
  MongoServerError,
  UUID,
  type ClientSession,
  type MongoClient,
  type TransactionOptions,
} from 'mongodb';
import pLimit from 'p-limit';
import { isTimeExpired } from './errors.js';

/** How long a writer waits for a locked document, in milliseconds, before it looks again for the lock's owner. */
const TIMEOUT = 1_000;

/** Unauthorized. */
const NO_RIGHT = 13;

const transactionOptions: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', j: true },
  readPreference: 'primary',
};

/**
 * The one session of a model's writer, which runs its transactions one after the other. If a process is killed during a transaction, its
 * documents stay locked for the server's `transactionLifetimeLimitSeconds` (a minute). A writer therefore stores its session's id with the
 * model when it begins, and its successor ends that session first.
 */
export class WriterSession {
  private session: ClientSession | null = null;
  private readonly oneAtATime = pLimit(1);

  constructor(private readonly client: MongoClient) {}

  /** In hexadecimal. */
  get id(): string {
    const id: unknown = this.opened.id?.id;
    if (!(id instanceof Binary)) throw new TypeError('The session has no id');
    return id.toString('hex');
  }

  /** Runs a transaction, with retries after transient errors. */
  transact(task: (session: ClientSession) => Promise<void>): Promise<void> {
    return this.oneAtATime(() => this.opened.withTransaction(task, transactionOptions));
  }

  /**
   * Makes a write without waiting for the locks of a process that has ended.
   *
   * @param former looks up the session of the former writer; null: there is none, or it must not be ended
   * @param write is repeated until it succeeds, or fails for another reason than a lock
   */
  async takeOver(
    former: () => Promise<string | null>,
    write: (limits: { readonly maxTimeMS: number }) => Promise<void>,
  ): Promise<void> {
    for (;;) {
      const session = await former();
      if (session !== null && session !== this.id) await endSession(this.client, session);
      try {
        return await write({ maxTimeMS: TIMEOUT });
      } catch (error) {
        if (!isTimeExpired(error)) throw error;
      }
    }
  }

  /** Closing the client ends it. After the client has reconnected, a new session is needed, whose id is not stored for a successor. */
  private get opened(): ClientSession {
    if (this.session === null || this.session.hasEnded) this.session = this.client.startSession();
    return this.session;
  }
}

/** Ends the open transactions of a session. Those of another user cannot be ended: the server does that later. */
export async function endSession(client: MongoClient, id: string): Promise<void> {
  try {
    await client.db('admin').command({ killSessions: [{ id: new UUID(id) }] });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== NO_RIGHT) throw error;
  }
}
