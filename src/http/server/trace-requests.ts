import type { FastifyInstance } from 'fastify';
import type { Tracer } from '../../runtime/tracing/tracer.js';
import { OPERATIONS } from './request-hooks.js';

/**
 * Traces the requests of every route that is registered from now on. As anybody may send a request, its trace
 * is a new one that is only linked to the trace that the caller names.
 */
export function traceRequests(fastify: FastifyInstance, tracer: Tracer): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    if (OPERATIONS.test(request.routeOptions.url ?? '')) return done();
    request.state.trace = tracer.request(typeof traceparent === 'string' ? traceparent : undefined);
    done();
  });
  // After the body was read, hooks run in the asynchronous context of the reader, which lacks the span.
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (request.state.trace === null) done();
    else request.state.trace.run(done);
  });
}
