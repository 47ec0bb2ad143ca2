import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** What a request was, for its duration to be counted under. */
export interface RequestLabels {
  readonly method: string;
  /** The path's pattern: paths themselves would be without number. */
  readonly route: string;
  readonly status: number;
}

/** The process's metrics in Prometheus' format. Others register theirs with {@link Metrics.registry}. */
export class Metrics {
  readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its reply',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  /** Adds what Node tells of the process: memory, CPU time, event-loop lag, garbage collection. Once per process. */
  collectProcessMetrics(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts one request. */
  observe({ method, route, status }: RequestLabels, seconds: number): void {
    this.durations.observe({ method, route, status }, seconds);
  }
}
