import { OperatorError } from '../kernel/errors.js';

/** Why a server that holds stores cannot be used. */
export interface StoreProblem {
  /** Which server, and where. */
  readonly what: string;
  readonly reason: string;
  /** Whether waiting does not help. */
  readonly isPermanent: boolean;
}

/** A server that holds stores cannot be used. */
export class StoreServerError extends OperatorError {
  override readonly name = 'StoreServerError';
  constructor({ what, reason }: StoreProblem) {
    super(`${what}: ${reason}`);
  }
}
