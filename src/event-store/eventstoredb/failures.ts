import { AccessDeniedError, InvalidArgumentError, StreamDeletedError } from '@eventstore/db-client';
import { EventStoreUnavailableError } from '../port.js';

/**
 * Whether trying again is pointless. Everything else is taken for a server that is away: the client reports it as
 * `UnavailableError`, as a plain gRPC error with code 14, as `UnknownError`, as a deadline or a cancellation.
 */
export function isPermanent(error: unknown): boolean {
  return (
    error instanceof AccessDeniedError ||
    error instanceof InvalidArgumentError ||
    error instanceof StreamDeletedError ||
    error instanceof RangeError ||
    error instanceof TypeError
  );
}

/** The port's error for what the client threw. */
export function toUnavailable(error: unknown, written: 'unknown' | false): EventStoreUnavailableError {
  const reason = error instanceof Error ? error.message || error.constructor.name : String(error);
  return new EventStoreUnavailableError(`EventStoreDB cannot take the request: ${reason}`, written, {
    cause: error,
  });
}
