import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { failure } from '../../kernel/errors.js';
import { wantedMethod } from './method-override.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests change nothing in the log, although their verb is one of those that may. */
    readonly appendsNothing?: boolean;
    /** Requests are taken also while the process lags: they help it. */
    readonly helpsWhoLags?: boolean;
  }
}

/** What a process can answer at the moment. */
export interface Availability {
  /** False for a process that only follows the log. */
  readonly answersRequests: boolean;
  /** False while what the process knows is too old to decide on. */
  acceptsWrites(): boolean;
}

/** For `RouteConfig` of such a route. */
export const appendsNothing = { appendsNothing: true } as const;

/** For `RouteConfig` of such a route. */
export const helpsWhoLags = { helpsWhoLags: true } as const;

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests to the API that the process cannot answer now, so that a balancer sends them elsewhere. They are judged
 * before one that asks for another verb is answered as that.
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
  if (request.routeOptions.config.helpsWhoLags === true) return true;
  return appendsNothingTo(request) || availability.acceptsWrites();
}

function appendsNothingTo(request: FastifyRequest): boolean {
  const method = wantedMethod(request);
  if (readingMethods.has(method)) return true;
  return method === request.method && request.routeOptions.config.appendsNothing === true;
}
