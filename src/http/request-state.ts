import type { FastifyRequest } from 'fastify';
import type { RequestTrace } from '../runtime/tracing/tracer.js';
import type { Caller } from './caller.js';

/** What the layers between the socket and a controller note about one request. */
export class RequestState {
  /** Who sends it, once authenticated. */
  caller: Caller | null = null;
  /** Names of the parameters that the endpoint understands; null: it takes none. */
  supportedParameters: ReadonlySet<string> | null = null;
  /** The pattern of the path that answers it, when `method` in a form made it another than the router chose. */
  overriddenRoute: string | null = null;
  /** The row of the error table that it was answered with; null: it was not. */
  error: string | null = null;
  /** Null: it is not traced. */
  trace: RequestTrace | null = null;
  /** By the monotonic clock, in milliseconds. */
  readonly startedAt = performance.now();
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
  }
}

/** The pattern of the path, such as `/api/v1/messages/:message_id`; null when no endpoint has the path. */
export function routePattern(request: FastifyRequest): string | null {
  return request.state.overriddenRoute ?? (request.is404 ? null : (request.routeOptions.url ?? null));
}
