import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BasicStrategy } from 'passport-http';
import { ApplicationError, failure } from '../../kernel/errors.js';
import { Authenticator } from '../caller.js';
import { noteResponse } from '../client-gone.js';
import { RequestLimits } from '../limits/request-limits.js';
import { isPublic } from './authentication.decorators.js';
import { basicStrategy, type AuthenticatedUser } from './basic-strategy.js';
import { originOf } from './request-origin.js';

/** Passport is typed for Express, but reads only the headers of a request. */
interface RunnableStrategy {
  authenticate(request: FastifyRequest): void;
}

/**
 * Runs a strategy on one request. Passport's middleware does the same through an object made for each
 * request, but looks the strategy up in a registry of the process, which costs more than the rest of
 * authentication.
 *
 * @throws ApplicationError `invalidAuthorizationHeader` when the strategy finds no credentials in the header;
 * and whatever the strategy throws
 */
function runStrategy(strategy: BasicStrategy, request: FastifyRequest): Promise<AuthenticatedUser> {
  return new Promise((resolve, reject) => {
    const outcome = {
      success: resolve,
      fail: () => reject(failure('invalidAuthorizationHeader')),
      error: reject,
    };
    const run = Object.assign(Object.create(strategy) as RunnableStrategy, outcome);
    run.authenticate(request);
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Also accepts the key from the query parameter `api_key`, where a request has no other credentials. */
    readonly takesKeyInQuery?: boolean;
  }
}

/** Authenticates requests by passport-http's Basic strategy; public endpoints need no credentials. */
@Injectable()
export class BasicAuthGuard implements CanActivate {
  private readonly strategy: BasicStrategy;

  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: RequestLimits,
  ) {
    this.strategy = basicStrategy(authenticator);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isPublic(context)) {
      if (this.authenticator.isDeactivated() && !isReadRequest(request))
        throw failure('organizationDeactivated');
      return true;
    }
    const userId = await this.authenticate(request);
    // The reason is given only to callers with valid credentials.
    if (this.authenticator.isDeactivated()) throw failure('organizationClosed');
    const caller = { userId, ...originOf(request), requestId: request.id };
    request.state.caller = caller;
    noteResponse(caller, context.switchToHttp().getResponse<FastifyReply>().raw);
    return true;
  }

  private authenticate(request: FastifyRequest): Promise<number> {
    const { authorization } = request.headers;
    if (request.routeOptions.config.takesKeyInQuery === true && authorization === undefined) {
      return this.counted(request, () => this.authenticator.authenticateByKey(keyOf(request)));
    }
    assertBasic(authorization);
    return this.counted(request, async () => {
      assertKeyAlone(authorization);
      return (await runStrategy(this.strategy, request)).userId;
    });
  }

  /** Counts refused requests, by address. */
  private async counted(request: FastifyRequest, authenticate: () => Promise<number>): Promise<number> {
    try {
      return await authenticate();
    } catch (error) {
      if (error instanceof ApplicationError) this.limits.countRefusal(request);
      throw error;
    }
  }
}

/** Requests without credentials that change nothing: images, and what clients read before log-in. */
function isReadRequest({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Empty if none was sent. */
function keyOf({ query }: FastifyRequest): string {
  const { api_key: key } = query as { readonly api_key?: unknown };
  return typeof key === 'string' ? key : '';
}

/**
 * The strategy does not distinguish missing credentials from a malformed header, and accepts any scheme that
 * contains "basic".
 */
function assertBasic(authorization: string | undefined): asserts authorization is string {
  if (!authorization) {
    throw failure('notLoggedIn');
  }
  if (!/^basic( |$)/i.test(authorization)) {
    throw failure('basicAuthenticationRequired');
  }
}

/** A key contains no colon; the strategy would ignore everything after one. */
function assertKeyAlone(authorization: string): void {
  const [, credentials = ''] = authorization.split(' ');
  const parts = Buffer.from(credentials, 'base64').toString().split(':');
  if (parts.length > 2) throw failure('malformedApiKey');
}
