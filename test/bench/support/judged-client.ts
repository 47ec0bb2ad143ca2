import type { ApiClient, Reply } from '../../support/api-client.js';

/** What came of requests in a stretch of time. */
export interface Stretch {
  /** Milliseconds that each request took. */
  readonly latencies: readonly number[];
  /** Requests that were not answered with a success: what was asked and what came. */
  readonly failed: readonly string[];
  /** Answers that were older than what the same client had written or seen. */
  readonly stale: readonly string[];
}

type Parameters = Readonly<Record<string, unknown>>;

/** A client that notes of every request how long it took, whether it failed, and whether what it says is too old. */
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

  /** Says whether an answer shows what it must. Answers that failed are counted as such alone. */
  expect(reply: Reply | null, what: string, shows: (reply: Reply) => boolean): void {
    if (reply !== null && !shows(reply)) this.stale.push(what);
  }

  /** What came of everything since this was last asked. */
  takeStretch(): Stretch {
    const { latencies, failed, stale } = this;
    [this.latencies, this.failed, this.stale] = [[], [], []];
    return { latencies, failed, stale };
  }
}

/** Milliseconds that all but one request of a hundred took at most. */
export function p99({ latencies }: Stretch): number {
  const sorted = latencies.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}
