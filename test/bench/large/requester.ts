import { setTimeout as pause } from 'node:timers/promises';
import { authorizationFor } from '../support/server-process.js';
import type { Login } from './members.js';

/** A request that is timed. */
export interface TimedRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to `/api/v1/`. */
  readonly path: string;
  /** Parameters in the query or the form: texts unchanged, other values as JSON. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Sent instead of a form. */
  readonly body?: FormData;
}

/** The result of a timed request. */
export interface TimedReply {
  /** Time until the last byte of the reply. */
  readonly milliseconds: number;
  readonly status: number;
  readonly bytes: number;
  readonly text: () => string;
}

/** Longer than any timeout of the server, in milliseconds: a request that takes longer counts as failed. */
const TIMEOUT = 300_000;
const UNAVAILABLE = 503;
const RETRY = 50;

/** Sends requests as one person and times them. It reads each reply to its end without parsing it. */
export class Requester {
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

  /**
   * Does something, and counts the rows that reader threads read meanwhile, for whomever: the pages of the bystanders are usually
   * answered from memory.
   */
  async countingRows<Result>(
    task: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly rows: number }> {
    const before = await this.rowsRead();
    const result = await task();
    return { result, rows: (await this.rowsRead()) - before };
  }

  /** Repeats the request until the server accepts it, for at most {@link TIMEOUT}. */
  async insist(request: TimedRequest): Promise<TimedReply> {
    const deadline = performance.now() + TIMEOUT;
    for (;;) {
      const reply = await this.ask(request);
      if (reply.status !== UNAVAILABLE || performance.now() > deadline) return reply;
      await pause(RETRY);
    }
  }

  /** The parsed reply. While the server is unavailable, the request is repeated. @throws Error when it fails */
  async must(request: TimedRequest): Promise<Readonly<Record<string, unknown>>> {
    const reply = await this.insist(request);
    if (reply.status !== 200) {
      throw new Error(
        `${request.method} ${request.path} answered ${reply.status}: ${reply.text().slice(0, 200)}`,
      );
    }
    return JSON.parse(reply.text()) as Readonly<Record<string, unknown>>;
  }

  private async rowsRead(): Promise<number> {
    const response = await fetch(`${this.site}/metrics`);
    if (!response.ok) throw new Error(`The server does not show its metrics: ${response.status}`);
    return rowsIn(await response.text());
  }
}

/** The sum of all histograms of rows in the metrics of a server, by kind of query. */
export function rowsIn(metrics: string): number {
  return [...metrics.matchAll(/^palimpsest_query_rows_sum\{.*\} (\S+)$/gm)].reduce(
    (sum, [, rows]) => sum + Number(rows),
    0,
  );
}

function formOf(parameters: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}
