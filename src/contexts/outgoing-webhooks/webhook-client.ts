import { request as requestPlainly, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { isIP } from 'node:net';
import { budgets } from '../../kernel/budgets.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { ClosedNetworkError, type OpenNetworks } from './networks.js';

/** Timeout for a response with its body, in milliseconds. */
const USUAL_TIMEOUT = 10_000;

/** Informational responses (status 1xx) that may precede a response. Each costs time, and services send one at most. */
const MAX_INFORMATIONAL = 10;

/** A request to send. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The outcome of a request. */
export type WebhookOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  /** It may not be sent, or the response is invalid: retrying would have the same result. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unanswered' };

/**
 * Sends requests of bots: only to open networks, without following redirections, and with a limit on the size
 * of the response.
 */
export class WebhookClient {
  /** @param timeout for a response with its body, in milliseconds */
  constructor(
    private readonly networks: OpenNetworks,
    private readonly timeout = USUAL_TIMEOUT,
  ) {}

  /** @param signal when aborted, the outcome is `unanswered` */
  async post(request: WebhookRequest, signal: AbortSignal): Promise<WebhookOutcome> {
    const url = new URL(request.url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const closed = { kind: 'refused', reason: 'the address is in a private network' } as const;
    // A name is checked when it is resolved.
    if (isIP(host) !== 0 && !this.networks.isOpen(host)) return closed;
    try {
      const ending = { stopped: signal, timeout: this.timeout };
      const { status, body } = await withTimeout(ending, (bounded) =>
        untilAborted(bounded, this.exchange(url, request, bounded)),
      );
      if (body === null) return { kind: 'refused', reason: 'the answer is too long' };
      return { kind: 'answered', status, body };
    } catch (error) {
      return error instanceof ClosedNetworkError ? closed : { kind: 'unanswered' };
    }
  }

  private exchange(
    url: URL,
    { headers, body }: WebhookRequest,
    signal: AbortSignal,
  ): Promise<WebhookResponse> {
    const send = url.protocol === 'https:' ? requestSecurely : requestPlainly;
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      // A reused connection would have been opened after another, unchecked look-up.
      agent: false,
      lookup: this.networks.lookup,
      signal,
    });
    request.end(body);
    return responseTo(request);
  }
}

interface WebhookResponse {
  readonly status: number;
  /** Null: it is longer than the limit. */
  readonly body: string | null;
}

/** The response to a request. A response that changes the protocol has no body, and its connection is closed. */
function responseTo(request: ClientRequest): Promise<WebhookResponse> {
  return new Promise((answered, failed) => {
    let informational = 0;
    request
      .on('information', () => {
        informational += 1;
        if (informational > MAX_INFORMATIONAL) request.destroy(new Error('Too many informational responses'));
      })
      .on('upgrade', ({ statusCode = 0 }, socket) => {
        socket.destroy();
        answered({ status: statusCode, body: '' });
      })
      .on('response', (response) => {
        readBounded(response).then((body) => answered({ status: response.statusCode ?? 0, body }), failed);
      })
      .on('error', failed);
  });
}

/** Rejects when the signal is aborted, also if the connection tells of nothing any more. */
async function untilAborted<Result>(signal: AbortSignal, result: Promise<Result>): Promise<Result> {
  const done = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Aborted', { cause: signal.reason })), {
      signal: done.signal,
    });
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    done.abort();
  }
}

/** Null: it is longer than the limit. */
async function readBounded(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > budgets.outgoingWebhookAnswer.max) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
