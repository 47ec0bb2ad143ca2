import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestLimits, type RequestKind } from './request-limits.js';

const SEPARATE_RATE_LIMIT = 'palimpsest:counted-apart';

/**
 * Marks an endpoint whose requests have a separate rate limit: programs that repeat a request again and again, for events or for the status of
 * something, must not use up a person's limit for other requests.
 */
export const SeparateRateLimit = (kind: RequestKind = 'poll'): MethodDecorator =>
  SetMetadata(SEPARATE_RATE_LIMIT, kind);

/** The kind of the present endpoint, if it is marked {@link SeparateRateLimit}. */
function kindOf(context: ExecutionContext): RequestKind | undefined {
  return Reflect.getMetadata(SEPARATE_RATE_LIMIT, context.getHandler()) as RequestKind | undefined;
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
      kindOf(context),
    );
    return true;
  }
}
