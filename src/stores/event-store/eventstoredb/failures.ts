import { setTimeout as delay } from 'node:timers/promises';
import { AccessDeniedError, InvalidArgumentError, StreamDeletedError } from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { EventStoreUnavailableError } from '../port.js';

/**
 * Whether a retry is useless. All other errors mean that the server is unavailable; the client reports that as `UnavailableError`, as a
 * plain gRPC error with code 14, as `UnknownError`, as a deadline or as a cancellation.
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

/** The client has no error class for wrong credentials, nor for some missing permissions. */
export function hasCode(error: unknown, code: status): boolean {
  return error instanceof Error && (error as { readonly code?: unknown }).code === code;
}

/** Converts an error of the client to the port's error. An error of the port is passed through. */
export function toUnavailable(error: unknown, written: 'unknown' | false): EventStoreUnavailableError {
  if (error instanceof EventStoreUnavailableError)
    return new EventStoreUnavailableError(error.message, written, { cause: error.cause });
  const reason = error instanceof Error ? error.message || error.constructor.name : String(error);
  return new EventStoreUnavailableError(`EventStoreDB cannot take the request: ${reason}`, written, {
    cause: error,
  });
}

const FIRST_DELAY = 25;

/** A short maximum, because people are waiting for their messages to be sent. */
const MAX_DELAY = 250;

/** Growing delays between retries, in milliseconds. */
export class Backoff {
  #next = FIRST_DELAY;

  /** The next delay. */
  next(): number {
    const pause = this.#next;
    this.#next = Math.min(this.#next * 2, MAX_DELAY);
    return pause;
  }

  /** Waits, at most `limit` milliseconds; returns early when `signal` is aborted. */
  async pause({ limit = MAX_DELAY, signal }: { limit?: number; signal?: AbortSignal }): Promise<void> {
    const pause = Math.min(this.next(), limit);
    await delay(pause, undefined, signal ? { signal } : {}).catch(() => undefined);
  }

  reset(): void {
    this.#next = FIRST_DELAY;
  }
}
