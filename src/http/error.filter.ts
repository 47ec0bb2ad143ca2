import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asApplicationError } from './as-application-error.js';
import { ClientGoneError } from './client-gone.js';
import type { Logger } from './monitoring/logger.js';
import { replyToError } from './reply-to-error.js';
import { routePattern } from './request-state.js';

/** Replies to every error in the API's form, and logs errors of the server. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    if (thrown instanceof ClientGoneError) {
      http.getResponse<FastifyReply>().hijack();
      return;
    }
    const error = asApplicationError(thrown);
    if (error.status >= 500) this.log(thrown, http.getRequest<FastifyRequest>());
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
