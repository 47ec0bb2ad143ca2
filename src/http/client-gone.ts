import type { ServerResponse } from 'node:http';
import { Attachment } from '../kernel/attachment.js';
import type { Caller } from './caller.js';

/** The client closed its connection before it got a reply, so nobody receives this error. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
  constructor() {
    super('The client has gone');
  }
}

const responses = new Attachment<Caller, ServerResponse>();

/** Remembers the response that goes to a caller. */
export function noteResponse(caller: Caller, response: ServerResponse): void {
  responses.set(caller, response);
}

/**
 * A signal that is aborted when the caller's client closes its connection before it got a reply; null for
 * callers without a connection.
 */
export function clientGone(caller: Caller): AbortSignal | null {
  const response = responses.get(caller);
  if (response === undefined) return null;
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
