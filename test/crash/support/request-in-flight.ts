import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ApiClient, Reply } from '../../support/api-client.js';

/** A message that the server has begun to receive and waits for the rest of. */
export interface RequestInFlight {
  /** Sends the rest; resolves with the answer. */
  finish(): Promise<{ readonly status: number; readonly body: Reply }>;
}

/** Begins to send a message to a channel; resolves when the server has said that it wants the rest. */
export async function beginToSend(
  { site, credentials }: ApiClient,
  message: { readonly to: string; readonly content: string },
): Promise<RequestInFlight> {
  const body = new URLSearchParams({ type: 'channel', topic: 'in flight', ...message }).toString();
  const sending = request(`${site}/api/v1/messages`, {
    method: 'POST',
    auth: `${credentials!.email}:${credentials!.key}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  });
  sending.flushHeaders();
  await once(sending, 'continue');
  return { finish: () => finish(sending, body) };
}

async function finish(
  sending: ClientRequest,
  body: string,
): Promise<{ readonly status: number; readonly body: Reply }> {
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  sending.end(body);
  const [response] = await answered;
  return { status: response.statusCode!, body: JSON.parse(await text(response)) as Reply };
}
