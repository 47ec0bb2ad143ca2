import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { ApplicationError, failure } from '../../kernel/errors.js';
import { Authenticator } from '../caller.js';
import { RequestLimits } from '../limits/request-limits.js';
import { basicStrategy } from './basic-strategy.js';
import { clientName } from './client-name.js';
import { isPublic } from './public.decorator.js';

/** Lets in who authenticates by passport-http's Basic strategy, and everyone where an endpoint is public. */
@Injectable()
export class BasicAuthGuard extends AuthGuard() {
  constructor(
    authenticator: Authenticator,
    private readonly limits: RequestLimits,
  ) {
    // Passport takes a strategy itself as well as its name; a name would go through a registry shared by the process.
    super({ defaultStrategy: basicStrategy(authenticator) as unknown as string, session: false });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(context)) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    this.limits.assertMayAuthenticate(request);
    assertBasic(request.headers.authorization);
    await super.canActivate(context);
    return true;
  }

  // Passport hands over what the strategy said: an error, a user, or neither with the status of its refusal.
  override handleRequest<User>(
    error: unknown,
    user: User | false,
    _info: unknown,
    context: ExecutionContext,
  ): User {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (error instanceof ApplicationError) this.limits.countRefusal(request);
    if (error) throw error as Error;
    if (!user) throw failure('unauthorized', { reason: 'Invalid authorization header for basic auth' });
    const { userId } = user as unknown as { userId: number };
    request.state.caller = {
      userId,
      client: clientName(request.headers['user-agent']),
      requestId: request.id,
    };
    return user;
  }
}

/** Passport would tell neither from a header that is garbled, and takes any scheme with "basic" in it. */
function assertBasic(authorization: string | undefined): void {
  if (!authorization) {
    throw failure('unauthorized', { reason: 'Not logged in: API authentication or user session required' });
  }
  if (!/^basic( |$)/i.test(authorization)) {
    throw failure('unauthorized', { reason: 'This endpoint requires HTTP basic authentication.' });
  }
}
