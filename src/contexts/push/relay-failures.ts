import { failure, type ApplicationError } from '../../kernel/errors.js';
import { RelayError } from './push-relay.js';

/** What a client is told of a failure of the relay (specification, "Errors"); other errors are passed on. */
export function relayFailure(error: unknown): ApplicationError {
  if (!(error instanceof RelayError)) throw error;
  switch (error.failure) {
    case 'unreachable':
      return failure('failedToConnectBouncer');
    case 'broken':
      return failure('internalServerErrorOnBouncer');
    case 'refused':
      return failure('adminActionRequired');
  }
}
