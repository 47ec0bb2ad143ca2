import type { FastifyInstance } from 'fastify';
import type { RequestListener } from 'node:http';
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
  countRequests(fastify, (socket) => {
    const connection = connections.get(socket) ?? { unanswered: 0, isRefused: false };
    connections.set(socket, connection);
    return connection;
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (connections.get(request.raw.socket)?.isRefused === true) done(failure('unavailable'));
    else done();
  });
}

/** Counts requests before Fastify sees them, since it answers some without calling hooks, and drops those after a refusal. */
function countRequests({ server }: FastifyInstance, connectionOf: (socket: Socket) => Connection): void {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const connection = connectionOf(request.socket);
    // The connection closes with the refusal of an earlier request, so nobody would get a reply.
    if (connection.isRefused) return;
    connection.unanswered += 1;
    // Not `once`: its wrapper keeps the request in memory until the next full garbage collection.
    response.on('finish', () => (connection.unanswered -= 1));
    connection.isRefused = connection.unanswered > budgets.pipelinedRequests.max;
    if (connection.isRefused) response.setHeader('connection', 'close');
    for (const handle of handlers) handle(request, response);
  });
}
