import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../../kernel/errors.js';
import type { Tracer } from '../../runtime/tracing/tracer.js';
import type { Logger } from '../monitoring/logger.js';
import type { Metrics } from '../monitoring/metrics.js';
import { hasTooManyFields } from '../request-parameters.js';
import { RequestState, routePattern } from '../request-state.js';
import { MAX_BODY_BYTES } from './limits.js';

/** Paths that machines poll all day: neither logged nor traced. */
const operationsPath = /^\/(health|metrics)(\/|$)/;

/** Registers the hooks that run for every request: before anything is read, and after the reply. */
export function registerRequestHooks(fastify: FastifyInstance, logger: Logger, metrics: Metrics): void {
  fastify.decorateRequest('state');
  fastify.addHook('onRequest', (request, reply, done) => {
    request.state = new RequestState();
    setCommonHeaders(request, reply);
    if (isTooLarge(request)) done(failure('requestTooLarge'));
    else done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    report(request, reply, { logger, metrics });
    done();
  });
}

/** Sets the headers of every reply: caches may keep nothing, and a page of any origin may use the API. */
export function setCommonHeaders(request: Pick<FastifyRequest, 'id'>, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('access-control-allow-origin', '*');
  reply.header('cache-control', 'max-age=0, no-cache, no-store, must-revalidate, private');
  reply.header('x-content-type-options', 'nosniff');
}

function isTooLarge({ url, headers, routeOptions }: FastifyRequest): boolean {
  const query = url.indexOf('?');
  if (query >= 0 && hasTooManyFields(url.slice(query))) return true;
  return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES && routeOptions.config.acceptsFiles !== true;
}

function report(
  request: FastifyRequest,
  reply: FastifyReply,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): void {
  const { id: requestId, method, ip: address } = request;
  const { caller, startedAt, error } = request.state;
  const route = routePattern(request) ?? 'unknown';
  const status = reply.statusCode;
  const milliseconds = performance.now() - startedAt;
  metrics.observe({ method, route, status }, milliseconds / 1000);
  if (error !== null) metrics.refused(error);
  const traceId = request.state.trace?.end({ method, route, status, error });
  const ms = Math.round(milliseconds * 10) / 10;
  const line = { requestId, method, route, status, ms, address, ...(traceId && { traceId }) };
  const level = operationsPath.test(route) ? 'debug' : 'info';
  logger[level](
    caller === null ? line : { ...line, userId: caller.userId, client: caller.client },
    'request',
  );
}

/**
 * Traces the requests of every route that is registered from now on. As anybody may send a request, its trace
 * is a new one that is only linked to the trace that the caller names.
 */
export function traceRequests(fastify: FastifyInstance, tracer: Tracer): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    if (operationsPath.test(request.routeOptions.url ?? '')) return done();
    request.state.trace = tracer.request(typeof traceparent === 'string' ? traceparent : undefined);
    done();
  });
  // After the body was read, hooks run in the asynchronous context of the reader, which lacks the span.
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (request.state.trace === null) done();
    else request.state.trace.run(done);
  });
}
