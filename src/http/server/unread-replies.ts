import type { FastifyInstance, FastifyReply } from 'fastify';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { clientKeyOf, type ClientKey } from '../limits/request-limits.js';
import { setCommonHeaders } from './request-hooks.js';

/** How long a client may read nothing of its reply, in milliseconds, before its connection is cut. */
const READING_TIMEOUT = 120_000;

/** A shorter reply is always sent, such as the refusal of a long one. In bytes. */
const SHORT = 16_384;

/** What a reply takes while it is read from a file: the buffers and the open file, in bytes. */
const STREAMED = 262_144;

/** A reply that its client has not read completely. */
interface UnreadReply {
  readonly recipient: ClientKey;
  readonly bytes: number;
  readonly socket: Socket;
  /** What is being read from a file; null: it is in memory. */
  readonly stream: Readable | null;
}

interface HeldReplies {
  bytes: number;
  /** Oldest first. */
  readonly replies: Set<UnreadReply>;
}

/**
 * The replies that are in memory until their clients read them. Without limits, one person who requests long
 * replies and reads none of them takes all memory.
 */
export class UnreadReplies {
  private readonly held = new Map<ClientKey, HeldReplies>();
  private readonly ofSocket = new WeakMap<Socket, Set<UnreadReply>>();
  /** Size of all of them in bytes. */
  private total = 0;

  /** Counts every reply of a server, and refuses those that exceed the limits. */
  follow(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (request, reply, payload) => {
      const socket: unknown = request.raw.socket;
      // A request to the past is injected: it has no connection, and its reply is read at once.
      if (!(socket instanceof Socket)) return Promise.resolve(payload);
      socket.setTimeout(READING_TIMEOUT);
      // Of the reply to HEAD, only the headers are sent.
      const bytes = request.method === 'HEAD' ? 0 : sizeOf(payload);
      const stream = payload instanceof Readable ? payload : null;
      if (socket.destroyed) {
        // A client that has gone reads nothing, and nothing says so later.
        stream?.destroy();
        return Promise.resolve(stream === null ? payload : '');
      }
      if (this.hasRoom(reply, bytes)) {
        if (bytes > 0) this.add(reply, { recipient: clientKeyOf(reply), bytes, socket, stream });
        return Promise.resolve(payload);
      }
      stream?.destroy();
      for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
      setCommonHeaders(request, reply);
      return Promise.reject(tooManyUnread());
    });
  }

  /**
   * To be called before the bytes of a long reply are put together.
   *
   * @throws ApplicationError `rateLimitHit` when the recipient has not read earlier replies
   */
  assertRoom(reply: FastifyReply, bytes: number): void {
    if (!this.hasRoom(reply, bytes)) throw tooManyUnread();
  }

  /** A reply is never too long by itself. */
  private hasRoom(reply: FastifyReply, bytes: number): boolean {
    if (bytes <= SHORT) return true;
    const held = this.held.get(clientKeyOf(reply));
    return held === undefined || held.bytes + bytes <= budgets.unreadReplyBytesOfAccount.max;
  }

  private add(reply: FastifyReply, unread: UnreadReply): void {
    const { recipient, bytes, socket } = unread;
    const held = this.held.get(recipient) ?? { bytes: 0, replies: new Set() };
    this.held.set(recipient, held);
    held.replies.add(unread);
    held.bytes += bytes;
    this.total += bytes;
    this.repliesOn(socket).add(unread);
    // Not `once`: its wrapper keeps the reply in memory until the next full garbage collection.
    reply.raw.on('finish', () => this.remove(unread));
    while (this.total > budgets.unreadReplyBytes.max) this.cutOldestOfFullest();
  }

  private repliesOn(socket: Socket): Set<UnreadReply> {
    const known = this.ofSocket.get(socket);
    if (known !== undefined) return known;
    const replies = new Set<UnreadReply>();
    this.ofSocket.set(socket, replies);
    // Replies that were waiting behind another one get no event of their own when the connection closes.
    socket.once('close', () => this.removeAll(replies));
    return replies;
  }

  private remove(unread: UnreadReply): void {
    const { recipient, bytes, socket } = unread;
    const held = this.held.get(recipient);
    if (held?.replies.delete(unread) !== true) return;
    this.ofSocket.get(socket)?.delete(unread);
    held.bytes -= bytes;
    this.total -= bytes;
    if (held.replies.size === 0) this.held.delete(recipient);
  }

  private removeAll(replies: Iterable<UnreadReply>): void {
    for (const unread of [...replies]) {
      this.remove(unread);
      // Fastify closes the file only of the reply whose turn it is on the connection.
      unread.stream?.destroy();
    }
  }

  private cutOldestOfFullest(): void {
    const fullest = [...this.held.values()].reduce((max, held) => (held.bytes > max.bytes ? held : max));
    const [oldest] = fullest.replies;
    if (oldest === undefined) return;
    this.removeAll(this.repliesOn(oldest.socket));
    oldest.socket.destroy();
  }
}

function tooManyUnread(): Error {
  return failure('rateLimitHit', { 'retry-after': 1 });
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  if (payload instanceof Uint8Array) return payload.length;
  return payload instanceof Readable ? STREAMED : 0;
}
