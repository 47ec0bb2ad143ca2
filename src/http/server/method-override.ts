import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { METHOD_FIELD, sentParameter } from '../sent-parameters.js';
import type { RouteIndex } from './route-index.js';
import { answerUnrouted } from './unrouted.js';

/** Lets a POST ask for another verb by its form field `method`, for clients that can send no other. */
export function registerMethodOverride(fastify: FastifyInstance, index: RouteIndex): void {
  fastify.addHook('preHandler', (request, reply, done) => {
    if (request.method !== 'POST' || request.body === undefined) return done();
    const method = sentParameter(request, METHOD_FIELD)?.toUpperCase();
    if (method === undefined || method === 'POST') return done();
    answerAs(method, request, { reply, index }).catch(done);
  });
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
