import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { METHOD_FIELD, parameterText } from '../request-parameters.js';
import type { RouteIndex } from './route-index.js';
import { answerUnrouted } from './unrouted.js';

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
