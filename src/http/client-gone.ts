import type { ServerResponse } from 'node:http';
import type { Caller } from './caller.js';

/** The client has closed its connection before it was answered: nobody is told of this. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
  constructor() {
    super('The client has gone');
  }
}

const responses = new WeakMap<Caller, ServerResponse>();

/** Notes to whom the reply to a caller goes. */
export function noteResponse(caller: Caller, response: ServerResponse): void {
  responses.set(caller, response);
}

/** Aborted when the caller's client closes its connection before it is answered; null where nobody can. */
export function clientGone(caller: Caller): AbortSignal | null {
  const response = responses.get(caller);
  if (response === undefined) return null;
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
