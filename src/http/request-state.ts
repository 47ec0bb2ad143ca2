import type { FastifyRequest } from 'fastify';
import type { RequestTrace } from '../runtime/tracing/tracer.js';
import type { Caller } from './caller.js';

/** What the HTTP layer keeps about one request. */
export class RequestState {
  /** The authenticated sender; null before authentication. */
  caller: Caller | null = null;
  /** Names of the parameters that the endpoint supports; null: it takes none. */
  supportedParameters: ReadonlySet<string> | null = null;
  /**
   * The pattern of the path that serves the request, if the form field `method` led to another route than the
   * router's.
   */
  overriddenRoute: string | null = null;
  /** Whether the body had a file that the endpoint does not take. The file was dropped. */
  hasUnexpectedFile = false;
  /** Whether the file in the body is kept in memory while it is received. */
  keepsFileInMemory = false;
  /** Name of the error in the table that the request ended with; null: none. */
  error: string | null = null;
  /** Null: the request is not traced. */
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
