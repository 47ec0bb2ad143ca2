import type { FastifyInstance } from 'fastify';
import type { Tracer } from '../../runtime/tracing/tracer.js';
import { OPERATIONS } from './request-hooks.js';

/**
 * Traces the requests of every route that is registered from now on. Whoever sends one may be anybody: the trace is its own, and only
 * linked to the one that the caller names.
 */
export function traceRequests(fastify: FastifyInstance, tracer: Tracer): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    if (OPERATIONS.test(request.routeOptions.url ?? '')) return done();
    request.state.trace = tracer.request(typeof traceparent === 'string' ? traceparent : undefined);
    done();
  });
  // After the body was read, hooks are called from the reader's asynchronous context, which does not have the span begun before.
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (request.state.trace === null) done();
    else request.state.trace.run(done);
  });
}
