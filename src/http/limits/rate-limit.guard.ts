import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isCountedApart } from './counted-apart.decorator.js';
import { RequestLimits } from './request-limits.js';

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
