import { HttpException } from '@nestjs/common/exceptions/http.exception.js';
import { ModelBehindError } from '../../projections/engine/reactor.js';
import { ApplicationError, failure } from '../kernel/errors.js';
import { AppendTooLargeError } from '../stores/event-store/port.js';
import { KeyDestroyedError } from '../stores/key-store/record-keys.js';
import { isStoreUnavailable } from '../stores/store-unavailable.js';

/**
 * The error that a client gets for anything that was thrown. The message of an unexpected error is never
 * included.
 */
export function asApplicationError(thrown: unknown): ApplicationError {
  if (thrown instanceof ApplicationError) return thrown;
  if (isStoreUnavailable(thrown) || thrown instanceof ModelBehindError) return failure('unavailable');
  if (thrown instanceof AppendTooLargeError) return failure('requestTooLarge');
  if (thrown instanceof KeyDestroyedError) return failure('alreadyErased');
  const status = statusOf(thrown);
  switch (status) {
    case 404:
      return failure('notFound');
    case 413:
    case 414:
      return failure('requestTooLarge');
    default:
      if (status < 400 || status >= 500) return failure('internalError');
      return failure('invalidParameter', { reason: (thrown as Error).message });
  }
}

/** The status of an error that Nest or Fastify threw; 500 for any other error. */
function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (!(thrown instanceof Error && 'code' in thrown && 'statusCode' in thrown)) return 500;
  return String(thrown.code).startsWith('FST_') ? Number(thrown.statusCode) : 500;
}
