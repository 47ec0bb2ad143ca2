import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { replyToError } from '../reply-to-error.js';
import { rawReply } from './raw-reply.js';

/** How often the bytes are counted, in milliseconds. */
const INTERVAL = 250;

/** What Node reads from a connection at once, at most. */
const READ_BYTES = 65_536;

interface Connection {
  /** The request whose body is being received; null: none, or its headers are being received. */
  body: { readonly request: FastifyRequest; readonly reply: FastifyReply } | null;
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
      this.connections.set(socket, { body: null, received: 0 });
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
        connection.body = hasBody(request) ? { request, reply } : null;
        // Moved to the end.
        this.connections.delete(socket);
        this.connections.set(socket, connection);
      }
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

  /** The connections with unfinished requests, by address. */
  private senders(): readonly Sender[] {
    const senders = new Map<string, Sender>();
    for (const [socket, connection] of this.connections) {
      const bytes = unfinishedBytes(socket, connection);
      if (bytes <= 0) continue;
      const address = connection.body?.request.ip ?? socket.remoteAddress ?? '';
      const sender = senders.get(address) ?? { bytes: 0, connections: [] };
      senders.set(address, sender);
      sender.connections.push([socket, bytes]);
      sender.bytes += bytes;
    }
    return [...senders.values()];
  }

  private refuse(socket: Socket): void {
    const body = this.connections.get(socket)?.body ?? null;
    this.connections.delete(socket);
    if (body === null) {
      socket.end(rawReply('503 Service Unavailable', failure('unavailable')), () => socket.destroy());
    } else if (body.reply.sent) {
      socket.destroy();
    } else {
      body.reply.header('connection', 'close');
      replyToError(body.reply, failure('unavailable'));
    }
  }
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function unfinishedBytes(socket: Socket, connection: Connection): number {
  const request = connection.body?.request;
  if (request?.raw.complete === true) {
    connection.body = null;
    connection.received = socket.bytesRead;
  }
  const isStored = request?.routeOptions.config.acceptsFiles === true && !request.state.keepsFileInMemory;
  return isStored ? 0 : socket.bytesRead - connection.received;
}
