import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { failure } from '../../kernel/errors.js';
import { wantedMethod } from './unrouted.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests append nothing to the log, even if their method is not GET. */
    readonly appendsNothing?: boolean;
    /** Requests are accepted even while the process lags, because they help it to catch up. */
    readonly availableWhileLagging?: boolean;
  }
}

/** What a process can answer at present. */
export interface Availability {
  /** False for a process that only follows the log. */
  readonly answersRequests: boolean;
  /** False while the process's state is too old for decisions. */
  acceptsWrites(): boolean;
}

/** `RouteConfig` of an endpoint that appends nothing. */
export const appendsNothing = { appendsNothing: true } as const;

/** `RouteConfig` of an endpoint that is available while the process lags. */
export const availableWhileLagging = { availableWhileLagging: true } as const;

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests that the process cannot serve now, so that a load balancer sends them elsewhere. The check
 * precedes the method override.
 */
export function registerAvailability(application: NestFastifyApplication, availability: Availability): void {
  const fastify = application.getHttpAdapter().getInstance();
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (isApi(request) && !isAvailable(request, availability)) done(failure('unavailable'));
    else done();
  });
}

function isApi({ url }: FastifyRequest): boolean {
  return url.startsWith('/api/v1/');
}

function isAvailable(request: FastifyRequest, availability: Availability): boolean {
  if (!availability.answersRequests) return false;
  if (request.routeOptions.config.availableWhileLagging === true) return true;
  return appendsNothingTo(request) || availability.acceptsWrites();
}

function appendsNothingTo(request: FastifyRequest): boolean {
  const method = wantedMethod(request);
  if (readingMethods.has(method)) return true;
  return method === request.method && request.routeOptions.config.appendsNothing === true;
}
