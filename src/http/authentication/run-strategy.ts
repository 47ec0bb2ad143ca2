import type { FastifyRequest } from 'fastify';
import type { BasicStrategy } from 'passport-http';
import { failure } from '../../kernel/errors.js';
import type { AuthenticatedUser } from './basic-strategy.js';

/** Passport is typed for Express; of a request it reads headers alone. */
interface RunnableStrategy {
  authenticate(request: FastifyRequest): void;
}

/**
 * Runs a strategy on one request. Passport's middleware does the same, on an object made of the strategy for the request,
 * but looks it up in a registry of the process and costs more than all the rest of authentication.
 *
 * @throws ApplicationError `invalidAuthorizationHeader` when the strategy finds no credentials in the header; what the strategy threw
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
