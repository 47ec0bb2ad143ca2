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

/** How long a writer waits for a document that another has, before it looks again who that is, in milliseconds. */
const TIMEOUT = 1_000;

/** Unauthorized. */
const NO_RIGHT = 13;

const transactionOptions: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', j: true },
  readPreference: 'primary',
};

/**
 * The one session of a model's writer, in which its transactions run one after the other. A process that is killed in the middle of one
 * leaves its documents locked until the server's `transactionLifetimeLimitSeconds` are over (a minute); so a writer leaves its session's
 * id with the model when it begins, and its successor ends that session first.
 */
export class WriterSession {
  private session: ClientSession | null = null;
  private readonly oneAtATime = pLimit(1);

  constructor(private readonly client: MongoClient) {}

  /** In hexadecimal digits. */
  get id(): string {
    const id: unknown = this.opened.id?.id;
    if (!(id instanceof Binary)) throw new TypeError('The session has no id');
    return id.toString('hex');
  }

  /** Runs a transaction; again, where it failed for a reason that passes. */
  transact(task: (session: ClientSession) => Promise<void>): Promise<void> {
    return this.oneAtATime(() => this.opened.withTransaction(task, transactionOptions));
  }

  /**
   * Makes a write that waits for nobody who is gone.
   *
   * @param former looks up the session of the former writer; null: there is none, or it is not to be ended
   * @param write is tried until it need not wait, or fails for another reason
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

  /** Closing the client ends it. A client that has reconnected since needs a new session, whose id is not stored for a successor. */
  private get opened(): ClientSession {
    if (this.session === null || this.session.hasEnded) this.session = this.client.startSession();
    return this.session;
  }
}

/** Ends what a session has open. What another user has open may not be ended: the server does that by itself, later. */
export async function endSession(client: MongoClient, id: string): Promise<void> {
  try {
    await client.db('admin').command({ killSessions: [{ id: new UUID(id) }] });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== NO_RIGHT) throw error;
  }
}
