import { setTimeout as pause } from 'node:timers/promises';
import { authorizationFor } from '../support/server-process.js';
import type { Login } from './members.js';

/** A request whose time is measured. */
export interface TimedRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1/`. */
  readonly path: string;
  /** Query or form, texts as they are and everything else as JSON. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** In place of a form. */
  readonly body?: FormData;
}

/** What came of it. */
export interface TimedReply {
  /** Until the last byte of the reply had come. */
  readonly milliseconds: number;
  readonly status: number;
  readonly bytes: number;
  readonly text: () => string;
}

/** Longer than any deadline of the server's, in milliseconds: a request that takes longer counts as failed. */
const TIMEOUT = 300_000;
const UNAVAILABLE = 503;
const RETRY = 50;

/** Sends requests as somebody and takes their time, reading replies to their end without looking into them. */
export class Asker {
  constructor(
    private readonly site: string,
    private readonly login: Pick<Login, 'email' | 'key'>,
  ) {}

  async ask({ method, path, parameters = {}, body }: TimedRequest): Promise<TimedReply> {
    const form = formOf(parameters);
    const url = `${this.site}/api/v1/${path}${method === 'GET' ? `?${form.toString()}` : ''}`;
    const headers = { authorization: authorizationFor(this.login), 'user-agent': 'bench/1' };
    const start = performance.now();
    const response = await fetch(url, {
      method,
      headers,
      signal: AbortSignal.timeout(TIMEOUT),
      ...(method !== 'GET' && { body: body ?? form }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const milliseconds = performance.now() - start;
    return { milliseconds, status: response.status, bytes: bytes.length, text: () => bytes.toString('utf8') };
  }

  /** Asks until the server takes it, for as long as {@link TIMEOUT}. */
  async insist(request: TimedRequest): Promise<TimedReply> {
    const deadline = performance.now() + TIMEOUT;
    for (;;) {
      const reply = await this.ask(request);
      if (reply.status !== UNAVAILABLE || performance.now() > deadline) return reply;
      await pause(RETRY);
    }
  }

  /** The reply's object; what the server does not take for now is asked again. @throws Error when it is no success */
  async must(request: TimedRequest): Promise<Readonly<Record<string, unknown>>> {
    const reply = await this.insist(request);
    if (reply.status !== 200) {
      throw new Error(
        `${request.method} ${request.path} answered ${reply.status}: ${reply.text().slice(0, 200)}`,
      );
    }
    return JSON.parse(reply.text()) as Readonly<Record<string, unknown>>;
  }
}

function formOf(parameters: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}
