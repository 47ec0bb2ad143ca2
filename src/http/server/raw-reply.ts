import type { ApplicationError } from '../../kernel/errors.js';
import { errorBody } from '../envelope.js';

/** An error as the text of a whole reply, for connections without a valid request. */
export function rawReply(status: string, error: ApplicationError): string {
  const body = JSON.stringify(errorBody(error));
  return (
    `HTTP/1.1 ${status}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
}
