import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Document } from 'mongodb';
import { filtersOf, findAll, keyOf, keysNamed, lockName } from './collections.js';
import { Refusal } from './failures.js';
import { Gate, Locks, type Waiting } from './locks.js';
import { Transactions, type TransactionCounts } from './transactions.js';
import { messagesOf, replyTo, requestIn, Upstream } from './wire.js';

/** Options of {@link MongoReplicaSetStandIn.start}. */
export interface ReplicaSetOptions {
  /** A server without transactions that stores everything. All writes to its data must go through the stand-in. */
  readonly upstream: { readonly host: string; readonly port: number };
  /** Absent or 0: any free port. */
  readonly port?: number;
}

/** How the next command with a name fails, like the server's fail point `failCommand`. */
export interface CommandFailure {
  readonly command: string;
  /** The server's reply; absent: the connection is closed. */
  readonly refusal?: Refusal;
  /** Whether the command is executed all the same. */
  readonly isCarriedOut?: boolean;
}

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'findandmodify']);
const CHANGES_OF_COLLECTIONS = new Set(['drop', 'dropDatabase', 'createIndexes', 'dropIndexes', 'collMod']);
const GREETINGS = new Set(['hello', 'ismaster', 'isMaster']);

/** A command that is held back. */
interface HeldCommand {
  readonly command: string;
  readonly reached: () => void;
  readonly released: Promise<void>;
}

/** The result of a command: its reply, and whether to close the connection instead of sending it. */
interface Outcome {
  readonly reply: Document;
  readonly isLost: boolean;
}

/**
 * Speaks MongoDB's protocol like the only member of a replica set, before a server without transactions: sessions, transactions, write
 * conflicts, waiting for locked documents, the lifetime of transactions, and `killSessions`. The transaction of a client that disconnects
 * stays open, as on a real server.
 */
export class MongoReplicaSetStandIn {
  private readonly locks = new Locks();
  private readonly gate = new Gate();
  private readonly transactions: Transactions;
  private readonly listener: Server;
  private readonly sockets = new Set<Socket>();
  /** Connections to the server, one for each client, also those of clients that left while their command was held back. */
  private readonly upstreams = new Set<Upstream>();
  /** Each session's last retryable write, with the reply to it. */
  private readonly retryable = new Map<string, { readonly number: number; readonly reply: Document }>();
  private readonly failures: CommandFailure[] = [];
  private held: HeldCommand | null = null;

  private constructor(
    private readonly options: Required<ReplicaSetOptions>,
    private readonly upstream: Upstream,
  ) {
    this.transactions = new Transactions(this.locks, this.gate, upstream);
    this.listener = createServer((socket) => void this.serve(socket));
  }

  static async start({ upstream, port = 0 }: ReplicaSetOptions): Promise<MongoReplicaSetStandIn> {
    const standIn = new MongoReplicaSetStandIn({ upstream, port }, await Upstream.connect(upstream));
    standIn.listener.listen(port, '127.0.0.1');
    await once(standIn.listener, 'listening');
    return standIn;
  }

  get address(): string {
    return `127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
  }

  get counts(): Readonly<TransactionCounts> {
    return this.transactions.counts;
  }

  /** Ends the open transactions of all clients as if they had exceeded their lifetime. */
  expireTransactions(): Promise<void> {
    return this.transactions.expireAll();
  }

  /** Makes the next command with a name fail; several failures take effect one after the other. */
  failNext(failure: CommandFailure): void {
    this.failures.push(failure);
  }

  /** The number of failures that have not taken effect yet. */
  get failuresLeft(): number {
    return this.failures.length;
  }

  /** Holds back the next command with a name until it is released. */
  holdNext(command: string): { readonly isHeld: Promise<void>; readonly letGo: () => void } {
    let letGo = (): void => undefined;
    const released = new Promise<void>((release) => (letGo = release));
    const isHeld = new Promise<void>((reached) => (this.held = { command, reached, released }));
    return { isHeld, letGo };
  }

  async close(): Promise<void> {
    const closed = once(this.listener, 'close');
    this.listener.close();
    for (const socket of this.sockets) socket.destroy();
    for (const upstream of this.upstreams) upstream.close();
    await closed;
    this.transactions.close();
    this.upstream.close();
  }

  private async serve(socket: Socket): Promise<void> {
    this.sockets.add(socket);
    const gone = new AbortController();
    socket.on('error', () => undefined).on('close', () => gone.abort());
    const upstream = await Upstream.connect(this.options.upstream);
    this.upstreams.add(upstream);
    try {
      for await (const message of messagesOf(socket)) {
        const request = requestIn(message);
        const { reply, isLost } = await this.outcome(upstream, request.command, gone.signal);
        if (isLost) break;
        socket.write(replyTo(request, reply));
      }
    } catch (error) {
      const hasLeft = gone.signal.aborted || (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!hasLeft) process.stderr.write(`The stand-in for MongoDB: ${String(error)}\n`);
    } finally {
      upstream.close();
      this.upstreams.delete(upstream);
      socket.destroy();
      this.sockets.delete(socket);
    }
  }

  private async outcome(upstream: Upstream, command: Document, signal: AbortSignal): Promise<Outcome> {
    const [name = ''] = Object.keys(command);
    if (this.held?.command === name) {
      const { reached, released } = this.held;
      this.held = null;
      reached();
      await released;
    }
    const failure = this.failures.find((one) => one.command === name);
    if (failure === undefined) return { reply: await this.answer(upstream, command, signal), isLost: false };
    this.failures.splice(this.failures.indexOf(failure), 1);
    const { refusal, isCarriedOut = false } = failure;
    if (isCarriedOut) await this.answer(upstream, command, signal);
    return { reply: refusal?.reply ?? {}, isLost: refusal === undefined };
  }

  private async answer(upstream: Upstream, command: Document, signal: AbortSignal): Promise<Document> {
    try {
      return await this.carryOut(upstream, command, signal);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  }

  private async carryOut(upstream: Upstream, command: Document, signal: AbortSignal): Promise<Document> {
    const [name = ''] = Object.keys(command);
    if (GREETINGS.has(name)) return { ...(await upstream.command(command)), ...this.membership };
    if (name === 'commitTransaction') return this.transactions.commit(upstream, command);
    if (name === 'abortTransaction') return this.transactions.abortAsAsked(command);
    if (name === 'killSessions') return this.transactions.kill(command['killSessions'] as Document[]);
    if (name === 'endSessions' || name === 'refreshSessions') return { ok: 1 };
    if (command['autocommit'] === false) return this.transactions.run(upstream, command);
    if (WRITES.has(name)) return this.writeOnce(upstream, command, signal);
    if (CHANGES_OF_COLLECTIONS.has(name)) await this.untilUnused(command, waitingFor(command, signal));
    if (name === 'dropDatabase') await this.transactions.dropCopies(upstream, command['$db'] as string);
    return this.gate.together(() => upstream.command(command));
  }

  private get membership(): Document {
    const { address } = this;
    return {
      setName: 'stand-in',
      setVersion: 1,
      hosts: [address],
      me: address,
      primary: address,
      isWritablePrimary: true,
      ismaster: true,
      secondary: false,
      logicalSessionTimeoutMinutes: 30,
    };
  }

  /** A write outside of transactions; a repeated one gets the first reply again. */
  private async writeOnce(upstream: Upstream, command: Document, signal: AbortSignal): Promise<Document> {
    const { txnNumber, ...write } = command;
    if (txnNumber === undefined) return this.write(upstream, write, signal);
    const session = keyOf((command['lsid'] as Document)['id']);
    const latest = this.retryable.get(session);
    if (latest?.number === Number(txnNumber)) return latest.reply;
    const reply = await this.write(upstream, write, signal);
    this.retryable.set(session, { number: Number(txnNumber), reply });
    return reply;
  }

  /** Waits for transactions that have locked the documents, and keeps others from locking them meanwhile. */
  private async write(upstream: Upstream, command: Document, signal: AbortSignal): Promise<Document> {
    const owner = {};
    const names = await this.locksOf(upstream, command);
    await this.locks.await(names, owner, waitingFor(command, signal));
    try {
      return await this.gate.together(() => upstream.command(command));
    } finally {
      this.locks.release(owner, true);
    }
  }

  private async locksOf(upstream: Upstream, command: Document): Promise<readonly string[]> {
    const place = { database: command['$db'] as string, collection: String(Object.values(command)[0]) };
    const names = await Promise.all(
      filtersOf(command).map(async (filter) => {
        const named = keysNamed(filter);
        if (named !== null) return named;
        const found = await findAll(upstream, place, { filter, projection: { _id: 1 } });
        return found.map(({ _id }) => _id as unknown);
      }),
    );
    return [...new Set(names.flat().map((id) => lockName(place, id)))];
  }

  private untilUnused(command: Document, waiting: Waiting): Promise<void> {
    const [name = '', collection] = Object.entries(command)[0] ?? [];
    const database = command['$db'] as string;
    const prefix = name === 'dropDatabase' ? `${database}.` : `${database}.${String(collection)}:`;
    return this.locks.awaitAll(prefix, waiting);
  }
}

function waitingFor({ maxTimeMS }: Document, signal: AbortSignal): Waiting {
  return { until: maxTimeMS === undefined ? null : performance.now() + Number(maxTimeMS), signal };
}
