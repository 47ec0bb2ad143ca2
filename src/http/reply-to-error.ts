import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApplicationError } from '../kernel/errors.js';
import { asApplicationError } from './as-application-error.js';
import { REALM } from './authentication/basic-strategy.js';
import { ClientGoneError } from './client-gone.js';
import { errorBody, type SuccessFields } from './envelope.js';
import { RateLimitError, setQuotaHeaders } from './limits/rate-limiter.js';
import type { Logger } from './monitoring/logger.js';
import { routePattern, type RequestState } from './request-state.js';

/** Seconds after which a client may retry when a store could not be reached, or a timeout passed. */
const RETRY_AFTER_SECONDS = 1;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Fields that the endpoint's errors have beside the usual ones, for clients of other servers. */
    readonly errorFields?: (error: ApplicationError, request: FastifyRequest) => SuccessFields;
  }
}

/** Sends an error with the headers of its row in the error table. */
export function replyToError(reply: FastifyReply, error: ApplicationError): void {
  // A path that cannot be decoded is refused before the request has a state.
  const state = reply.request.state as RequestState | undefined;
  if (state !== undefined) state.error = error.row;
  if (error.code === 'UNAUTHORIZED') reply.header('www-authenticate', `Basic realm="${REALM}"`);
  switch (error.row) {
    case 'methodNotAllowed':
      reply.header('allow', (error.fields['allowed_methods'] as readonly string[]).join(', '));
      break;
    case 'rateLimitHit':
      reply.header('retry-after', String(error.fields['retry-after']));
      break;
    case 'queryTimeout':
    case 'unavailable':
      reply.header('retry-after', RETRY_AFTER_SECONDS);
      break;
    default:
  }
  if (error instanceof RateLimitError) setQuotaHeaders(reply, error.quota);
  void reply
    .status(error.status)
    .type('application/json; charset=utf-8')
    .send(
      JSON.stringify({
        ...errorBody(error),
        ...reply.request.routeOptions.config.errorFields?.(error, reply.request),
      }),
    );
}

/** Replies to every error in the API's form, and logs errors of the server. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    // A client that disconnects before it has sent the whole body gives the stream of its request an error.
    const isGone =
      thrown instanceof ClientGoneError || thrown === http.getRequest<FastifyRequest>().raw.errored;
    if (isGone) {
      http.getResponse<FastifyReply>().hijack();
      return;
    }
    const error = asApplicationError(thrown);
    // That the server takes no more of something is no failure of it: the line of the request has the status. A failure in a reader thread has
    // a cause.
    const isFull = thrown === error && error.row === 'unavailable' && error.cause === undefined;
    if (error.status >= 500 && !isFull) this.log(thrown, http.getRequest<FastifyRequest>());
    const reply = http.getResponse<FastifyReply>();
    if (!reply.sent) replyToError(reply, error);
  }

  private log(err: unknown, request: FastifyRequest): void {
    this.logger.error(
      { requestId: request.id, method: request.method, route: routePattern(request), err },
      'request failed',
    );
  }
}
