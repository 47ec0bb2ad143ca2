import { status } from '@grpc/grpc-js';
import { AccessDeniedError, InvalidArgumentError, StreamDeletedError } from '@eventstore/db-client';
import { EventStoreUnavailableError } from '../port.js';

/**
 * Whether trying again is pointless. Everything else is taken for a server that is away: the client reports it as
 * `UnavailableError`, as a plain gRPC error with code 14, as `UnknownError`, as a deadline or a cancellation.
 */
export function isPermanent(error: unknown): boolean {
  return (
    error instanceof AccessDeniedError ||
    hasCode(error, status.UNAUTHENTICATED) ||
    hasCode(error, status.PERMISSION_DENIED) ||
    error instanceof InvalidArgumentError ||
    error instanceof StreamDeletedError ||
    error instanceof RangeError ||
    error instanceof TypeError
  );
}

/** The client has a class of its own neither for a name or a password that is wrong, nor for every right that is missing. */
export function hasCode(error: unknown, code: status): boolean {
  return error instanceof Error && (error as { readonly code?: unknown }).code === code;
}

/** The port's error for what the client threw, or for what a call that the request was made of has put into such an error before. */
export function toUnavailable(error: unknown, written: 'unknown' | false): EventStoreUnavailableError {
  if (error instanceof EventStoreUnavailableError)
    return new EventStoreUnavailableError(error.message, written, { cause: error.cause });
  const reason = error instanceof Error ? error.message || error.constructor.name : String(error);
  return new EventStoreUnavailableError(`EventStoreDB cannot take the request: ${reason}`, written, {
    cause: error,
  });
}
