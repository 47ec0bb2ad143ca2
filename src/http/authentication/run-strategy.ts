import type { FastifyRequest } from 'fastify';
import type { BasicStrategy } from 'passport-http';
import { failure } from '../../kernel/errors.js';
import type { AuthenticatedUser } from './basic-strategy.js';

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
export function runStrategy(strategy: BasicStrategy, request: FastifyRequest): Promise<AuthenticatedUser> {
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
