import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { BasicStrategy } from 'passport-http';
import { ApplicationError, failure } from '../../kernel/errors.js';
import { Authenticator } from '../caller.js';
import { RequestLimits } from '../limits/request-limits.js';
import { basicStrategy } from './basic-strategy.js';
import { clientName } from './client-name.js';
import { isPublic } from './public.decorator.js';
import { runStrategy } from './run-strategy.js';

/** Lets in who authenticates by passport-http's Basic strategy, and everyone where an endpoint is public. */
@Injectable()
export class BasicAuthGuard implements CanActivate {
  private readonly strategy: BasicStrategy;

  constructor(
    authenticator: Authenticator,
    private readonly limits: RequestLimits,
  ) {
    this.strategy = basicStrategy(authenticator);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(context)) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const userId = await this.authenticate(request);
    request.state.caller = {
      userId,
      client: clientName(request.headers['user-agent']),
      requestId: request.id,
    };
    return true;
  }

  private async authenticate(request: FastifyRequest): Promise<number> {
    assertBasic(request.headers.authorization);
    try {
      const { userId } = await runStrategy(this.strategy, request);
      return userId;
    } catch (error) {
      if (error instanceof ApplicationError) this.limits.countRefusal(request);
      throw error;
    }
  }
}

/** The strategy would tell neither from a header that is garbled, and takes any scheme with "basic" in it. */
function assertBasic(authorization: string | undefined): void {
  if (!authorization) {
    throw failure('unauthorized', { reason: 'Not logged in: API authentication or user session required' });
  }
  if (!/^basic( |$)/i.test(authorization)) {
    throw failure('unauthorized', { reason: 'This endpoint requires HTTP basic authentication.' });
  }
}
