import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { failure } from '../../kernel/errors.js';

/**
 * Refuses requests with a file that the endpoint does not take; runs after the guards that authenticate and
 * count, because callers without access get that error first.
 */
export class UnexpectedFileGuard implements CanActivate {
  /** @throws ApplicationError `unexpectedFile` */
  canActivate(context: ExecutionContext): boolean {
    const { state } = context.switchToHttp().getRequest<FastifyRequest>();
    if (state.hasUnexpectedFile) throw failure('unexpectedFile');
    return true;
  }
}
