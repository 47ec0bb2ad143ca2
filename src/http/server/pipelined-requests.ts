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
  dropRequests(fastify, (socket) => connections.get(socket)?.isRefused === true);
  fastify.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const connection = connections.get(socket) ?? { unanswered: 0, isRefused: false };
    connections.set(socket, connection);
    connection.unanswered += 1;
    reply.raw.once('finish', () => (connection.unanswered -= 1));
    connection.isRefused = connection.unanswered > budgets.pipelinedRequests.max;
    if (!connection.isRefused) return done();
    reply.header('connection', 'close');
    done(failure('unavailable'));
  });
}

/** Drops the requests of some connections before Fastify sees them. That takes a fraction of the time of a refusal. */
function dropRequests({ server }: FastifyInstance, isDropped: (socket: Socket) => boolean): void {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    // The connection closes with the refusal of an earlier request, so nobody would get a reply.
    if (isDropped(request.socket)) return;
    for (const handle of handlers) handle(request, response);
  });
}
