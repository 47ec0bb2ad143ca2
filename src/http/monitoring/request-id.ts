import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const SANE = /^[\w.:-]{1,64}$/;

/**
 * The id of a request in the log: the one that a proxy or client sent, if it is safe in a log line, else a
 * new one.
 */
export function requestId({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}
