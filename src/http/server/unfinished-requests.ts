import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { networkOf } from '../limits/request-limits.js';
import { replyToError } from '../reply-to-error.js';
import { mayBeFile } from './bodies.js';
import { rawReply } from './raw-reply.js';

/** How often the bytes are counted, in milliseconds. */
const INTERVAL = 250;

/** What Node reads from a connection at once, at most. */
const READ_BYTES = 65_536;

interface Connection {
  /** The request whose headers were received last. */
  latest: { readonly request: FastifyRequest; readonly reply: FastifyReply } | null;
  /** Whether its body is being received. */
  hasOpenBody: boolean;
  /** How many bytes the connection had received, at least, when its last request began. */
  received: number;
}

interface Sender {
  bytes: number;
  /** Oldest first. */
  readonly connections: [socket: Socket, bytes: number][];
}

/**
 * Limits the memory of requests that are not received completely. Anybody can send one, because credentials are
 * checked when it is complete. A file counts only if it is kept in memory.
 */
export class UnfinishedRequests {
  /** Those whose last request is oldest come first. */
  private readonly connections = new Map<Socket, Connection>();
  private timer: NodeJS.Timeout | null = null;

  follow(fastify: FastifyInstance): void {
    fastify.server.on('connection', (socket: Socket) => {
      this.connections.set(socket, { latest: null, hasOpenBody: false, received: 0 });
      socket.once('close', () => this.connections.delete(socket));
      this.timer ??= setInterval(() => this.enforce(), INTERVAL).unref();
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      const { socket } = request.raw;
      const connection = this.connections.get(socket);
      if (connection !== undefined) {
        // What came with the headers may be the beginning of the body.
        const before = hasBody(request) ? socket.bytesRead - READ_BYTES : socket.bytesRead;
        connection.received = Math.max(connection.received, before);
        connection.latest = { request, reply };
        connection.hasOpenBody = hasBody(request);
        // Moved to the end.
        this.connections.delete(socket);
        this.connections.set(socket, connection);
      }
      done();
    });
    fastify.addHook('onResponse', (request, _reply, done) => {
      const connection = this.connections.get(request.raw.socket);
      if (connection?.latest?.request === request) forgetIfComplete(request.raw.socket, connection);
      done();
    });
  }

  private enforce(): void {
    if (this.connections.size === 0 && this.timer !== null) {
      clearInterval(this.timer);
      this.timer = null;
    }
    const senders = this.senders();
    let total = 0;
    for (const { bytes } of senders) total += bytes;
    while (total > budgets.unfinishedRequestBytes.max) {
      const fullest = senders.reduce((max, sender) => (sender.bytes > max.bytes ? sender : max));
      const [socket, bytes] = fullest.connections.shift()!;
      fullest.bytes -= bytes;
      total -= bytes;
      this.refuse(socket);
    }
  }

  /** The connections with unfinished requests, by network. */
  private senders(): readonly Sender[] {
    const senders = new Map<string, Sender>();
    for (const [socket, connection] of this.connections) {
      const bytes = unfinishedBytes(socket, connection);
      if (bytes <= 0) continue;
      const address = (connection.hasOpenBody && connection.latest?.request.ip) || socket.remoteAddress;
      const network = networkOf(address ?? '');
      const sender = senders.get(network) ?? { bytes: 0, connections: [] };
      senders.set(network, sender);
      sender.connections.push([socket, bytes]);
      sender.bytes += bytes;
    }
    return [...senders.values()];
  }

  /** Says why if nothing is to be sent before that; a client that is waiting for an earlier reply would take it for that. */
  private refuse(socket: Socket): void {
    const { latest = null, hasOpenBody = false } = this.connections.get(socket) ?? {};
    this.connections.delete(socket);
    if (hasOpenBody && latest !== null && isNext(latest.reply)) {
      latest.reply.header('connection', 'close');
      replyToError(latest.reply, failure('unavailable'));
    } else if (!hasOpenBody && (latest === null || latest.reply.raw.writableFinished)) {
      socket.end(rawReply('503 Service Unavailable', failure('unavailable')), () => socket.destroy());
    } else {
      socket.destroy();
    }
  }
}

/** Whether nothing of a reply was sent, and no other reply is to be sent before it. */
function isNext({ sent, raw }: FastifyReply): boolean {
  return !sent && raw.socket !== null;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Forgets a request that is received and answered: an idle connection would keep it in memory with its body. */
function forgetIfComplete(socket: Socket, connection: Connection): void {
  const { latest } = connection;
  if (latest === null || !latest.request.raw.complete) return;
  noteComplete(socket, connection);
  if (latest.reply.sent) connection.latest = null;
}

function noteComplete(socket: Socket, connection: Connection): void {
  if (!connection.hasOpenBody) return;
  connection.hasOpenBody = false;
  connection.received = socket.bytesRead;
}

function unfinishedBytes(socket: Socket, connection: Connection): number {
  const request = connection.hasOpenBody ? connection.latest?.request : undefined;
  if (request?.raw.complete === true) {
    if (connection.latest?.reply.raw.writableFinished === true) forgetIfComplete(socket, connection);
    else noteComplete(socket, connection);
  }
  return request !== undefined && isStored(request) ? 0 : socket.bytesRead - connection.received;
}

/** Whether the body is a file that is written to the disk while it is received. */
function isStored({ headers, routeOptions, state }: FastifyRequest): boolean {
  const { acceptsFiles } = routeOptions.config;
  return acceptsFiles === true && mayBeFile(headers['content-type']) && !state.keepsFileInMemory;
}
