import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../../kernel/errors.js';
import { fitsPattern, type PathSegments } from '../path-pattern.js';
import { replyToError } from '../reply-to-error.js';
import { METHOD_FIELD, parameterText } from '../request-parameters.js';
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

/** Replies 404 to a request whose path has the shape of a route but does not fit it. */
export function registerPathCheck(fastify: FastifyInstance, index: RouteIndex): void {
  fastify.addHook('preHandler', (request, reply, done) => {
    if (fitsPattern(request.params as PathSegments)) done();
    else answerUnrouted(index, request, reply);
  });
}

/** Lets a POST select another method by its form field `method`, for clients that can send no other. */
export function registerMethodOverride(fastify: FastifyInstance, index: RouteIndex): void {
  fastify.addHook('preHandler', (request, reply, done) => {
    const method = wantedMethod(request);
    if (method === request.method) return done();
    answerAs(method, request, { reply, index }).catch(done);
  });
}

/** The effective method of a request; known once the body was read. */
export function wantedMethod(request: FastifyRequest): string {
  if (request.method !== 'POST' || request.body === undefined) return request.method;
  return parameterText(request, METHOD_FIELD)?.toUpperCase() ?? request.method;
}

async function answerAs(
  method: string,
  request: FastifyRequest,
  { reply, index }: { readonly reply: FastifyReply; readonly index: RouteIndex },
): Promise<void> {
  const endpoint = index.find(method, request.url);
  if (endpoint === null) {
    answerUnrouted(index, request, reply);
    return;
  }
  request.raw.method = method;
  request.params = endpoint.parameters;
  request.state.overriddenRoute = endpoint.url;
  await endpoint.handle(request, reply);
}
