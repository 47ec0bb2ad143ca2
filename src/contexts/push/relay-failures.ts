import { failure, type ApplicationError } from '../../kernel/errors.js';
import { RelayError } from './push-relay.js';

/** The API's error for a failure of the relay; other errors are returned unchanged. */
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
