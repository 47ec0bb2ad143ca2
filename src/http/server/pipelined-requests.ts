import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';

interface Connection {
  /** Requests whose replies are not sent completely. */
  unanswered: number;
  isRefused: boolean;
}

/**
 * Limits how many requests a connection may send before it gets their replies. Node parses everything that one
 * read returns, which can be thousands of requests, before it turns to another connection.
 */
export function limitPipelinedRequests(fastify: FastifyInstance): void {
  const connections = new WeakMap<Socket, Connection>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const connection = connections.get(socket) ?? { unanswered: 0, isRefused: false };
    connections.set(socket, connection);
    // The connection closes with the refusal of an earlier request, so nobody would get this reply.
    if (connection.isRefused) return;
    connection.unanswered += 1;
    reply.raw.once('finish', () => (connection.unanswered -= 1));
    connection.isRefused = connection.unanswered > budgets.pipelinedRequests.max;
    if (!connection.isRefused) return done();
    reply.header('connection', 'close');
    done(failure('unavailable'));
  });
}
