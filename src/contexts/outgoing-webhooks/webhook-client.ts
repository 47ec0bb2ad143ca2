import { request as requestPlainly, type IncomingMessage } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { isIP } from 'node:net';
import { budgets } from '../../kernel/budgets.js';
import { ClosedNetworkError, type OpenNetworks } from './networks.js';

/** Timeout for a response with its body, in milliseconds. */
const USUAL_TIMEOUT = 10_000;

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
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(this.timeout)]);
      const response = await this.send(url, request, bounded);
      const body = await readBounded(response);
      if (body === null) return { kind: 'refused', reason: 'the answer is too long' };
      return { kind: 'answered', status: response.statusCode ?? 0, body };
    } catch (error) {
      return error instanceof ClosedNetworkError ? closed : { kind: 'unanswered' };
    }
  }

  private send(url: URL, { headers, body }: WebhookRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const send = url.protocol === 'https:' ? requestSecurely : requestPlainly;
    return new Promise((answered, failed) => {
      const length = String(Buffer.byteLength(body));
      send(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': length },
        // A reused connection would have been opened after another, unchecked look-up.
        agent: false,
        lookup: this.networks.lookup,
        signal,
      })
        .on('response', answered)
        .on('error', failed)
        .end(body);
    });
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
