import { OperatorError } from '../kernel/errors.js';

/** Why a server with stores cannot be used. */
export interface StoreProblem {
  /** The kind of server and its address. */
  readonly what: string;
  readonly reason: string;
  /** Whether waiting is useless. */
  readonly isPermanent: boolean;
}

/** A server with stores cannot be used. */
export class StoreServerError extends OperatorError {
  override readonly name = 'StoreServerError';
  constructor({ what, reason }: StoreProblem) {
    super(`${what}: ${reason}`);
  }
}
