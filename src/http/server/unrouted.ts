import type { FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../../kernel/errors.js';
import { replyToError } from '../reply-to-error.js';
import type { RouteIndex } from './route-index.js';

/** Replies to a request without a route: 405 where the path exists with another method, else 404. */
export function answerUnrouted(index: RouteIndex, request: FastifyRequest, reply: FastifyReply): void {
  const allowed = index.methodsAt(request.url);
  if (allowed.length === 0) {
    replyToError(reply, failure('notFound'));
  } else if (request.method === 'OPTIONS') {
    answerOptions(reply, allowed.join(', '));
  } else {
    replyToError(reply, failure('methodNotAllowed', { allowed_methods: allowed }));
  }
}

/** Also answers a browser's preflight request for a page of another origin. */
function answerOptions(reply: FastifyReply, allowed: string): void {
  reply.header('allow', allowed);
  reply.header('access-control-allow-methods', allowed);
  reply.header('access-control-allow-headers', 'Authorization');
  void reply.status(204).send();
}
