import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestLimits } from './request-limits.js';

const COUNTED_APART = 'palimpsest:counted-apart';

/**
 * Marks an endpoint whose requests have a rate limit of their own: polling for events must not use up a
 * person's limit for other requests.
 */
export const CountedApart = (): MethodDecorator => SetMetadata(COUNTED_APART, true);

/** Whether the present endpoint is marked {@link CountedApart}. */
function isCountedApart(context: ExecutionContext): boolean {
  return Reflect.getMetadata(COUNTED_APART, context.getHandler()) === true;
}

/** Counts every request that reaches an endpoint; runs after the guard that authenticates. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: RequestLimits) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    this.limits.countRequest(
      http.getRequest<FastifyRequest>(),
      http.getResponse<FastifyReply>(),
      isCountedApart(context),
    );
    return true;
  }
}
