import type { ApiClient, Reply } from '../../support/api-client.js';

/** The results of requests in an interval. */
export interface Interval {
  /** The time of each request in milliseconds. */
  readonly latencies: readonly number[];
  /** Requests that did not succeed, each with its reply. */
  readonly failed: readonly string[];
  /** Replies that were older than what the same client had written or seen. */
  readonly stale: readonly string[];
}

type Parameters = Readonly<Record<string, unknown>>;

/** A client that records for each request the time, whether it failed, and whether the reply is stale. */
export class JudgedClient {
  private latencies: number[] = [];
  private failed: string[] = [];
  private stale: string[] = [];

  constructor(private readonly client: ApiClient) {}

  /** Sends a request; null when it failed. */
  async ask(
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    parameters: Parameters = {},
  ): Promise<Reply | null> {
    const started = performance.now();
    const reply = await this.client[method](path, parameters).then(
      ({ status, body }) => (status === 200 ? body : `${status} ${body.msg}`),
      (error: unknown) => String(error),
    );
    this.latencies.push(performance.now() - started);
    if (typeof reply !== 'string') return reply;
    this.failed.push(`${method} ${path}: ${reply}`);
    return null;
  }

  /** Records a stale reply unless it shows what is expected. A failed request only counts as failed. */
  expect(reply: Reply | null, what: string, shows: (reply: Reply) => boolean): void {
    if (reply !== null && !shows(reply)) this.stale.push(what);
  }

  /** The results since the last call. */
  takeInterval(): Interval {
    const { latencies, failed, stale } = this;
    [this.latencies, this.failed, this.stale] = [[], [], []];
    return { latencies, failed, stale };
  }
}

/** The 99th percentile of the request times, in milliseconds. */
export function p99({ latencies }: Interval): number {
  const sorted = latencies.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}
