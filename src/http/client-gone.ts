import type { ServerResponse } from 'node:http';
import type { Caller } from './caller.js';

/** The client closed its connection before it got a reply, so nobody receives this error. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
  constructor() {
    super('The client has gone');
  }
}

/**
 * A property of the caller, not a weak map: what is stored in a weak map stays in memory, with the whole request that
 * it refers to, until the next full garbage collection.
 */
const responseProperty = Symbol('response');

interface ConnectedCaller extends Caller {
  readonly [responseProperty]?: ServerResponse;
}

/** Remembers the response that goes to a caller. */
export function noteResponse(caller: Caller, response: ServerResponse): void {
  Object.defineProperty(caller, responseProperty, { value: response });
}

/**
 * A signal that is aborted when the caller's client closes its connection before it got a reply; null for
 * callers without a connection.
 */
export function clientGone(caller: ConnectedCaller): AbortSignal | null {
  const response = caller[responseProperty];
  if (response === undefined) return null;
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
