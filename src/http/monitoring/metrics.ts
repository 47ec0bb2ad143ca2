import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { ErrorName } from '../../kernel/errors.js';

/** The labels under which a request's duration is counted. */
interface RequestLabels {
  readonly method: string;
  /** The path's pattern, because the number of paths is unbounded. */
  readonly route: string;
  readonly status: number;
}

/** Seconds, from replies out of memory to requests that time out. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** The errors that rules of deploy/prometheus-alerts.yml select. */
const alertedErrors = [
  'queryTimeout',
  'invalidApiKey',
  'malformedApiKey',
  'invalidAuthorizationHeader',
  'authenticationFailed',
  'secondFactorWrong',
] as const satisfies readonly ErrorName[];

/**
 * The process's metrics in Prometheus' format. Other modules register theirs with {@link Metrics.registry}.
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'palimpsest_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its reply',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [...durationBuckets],
    registers: [this.registry],
  });

  private readonly errors = new Counter({
    name: 'palimpsest_errors_total',
    help: 'Requests that were answered with an error, by the name of the error in the table of errors',
    labelNames: ['error'] as const,
    registers: [this.registry],
  });

  /** Without labels: the durations have a series for each route, which begins with 1. */
  private readonly serverErrors = new Counter({
    name: 'palimpsest_server_errors_total',
    help: 'Requests that were answered with a status of 500 or above',
    registers: [this.registry],
  });

  private readonly pushFailures = new Counter({
    name: 'palimpsest_push_failures_total',
    help: 'Requests to the push relay that failed because it was unreachable, replied with something unusable, or refused them',
    labelNames: ['failure'] as const,
    registers: [this.registry],
  });

  /** Without labels, so that it is there from the start and its first increase raises the alert. */
  private readonly clientEventFailures = new Counter({
    name: 'palimpsest_client_event_failures_total',
    help: 'Events of the log that clients of this process could not be told of, which ended their queues',
    registers: [this.registry],
  });

  constructor() {
    // Prometheus sees no increase in a series that begins with 1, so what alert rules select begins with 0.
    for (const error of alertedErrors) this.errors.inc({ error }, 0);
  }

  /**
   * Adds Node's metrics of the process: memory, CPU time, event-loop lag, garbage collection. Call once per
   * process.
   */
  collectProcessMetrics(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts one request. */
  observe({ method, route, status }: RequestLabels, seconds: number): void {
    this.durations.observe({ method, route, status }, seconds);
    if (status >= 500) this.serverErrors.inc();
  }

  /** Counts a request that ended with an error, by the error's name in the table. */
  refused(error: string): void {
    this.errors.inc({ error });
  }

  /** Begins to count failures of the push relay, of each kind, with 0. */
  expectPushFailures(kinds: readonly string[]): void {
    for (const failure of kinds) this.pushFailures.inc({ failure }, 0);
  }

  /** Counts a request that the push relay did not accept. */
  pushFailed(failure: string): void {
    this.pushFailures.inc({ failure });
  }

  /** Counts an event of the log that could not be mapped to client events. */
  clientEventFailed(): void {
    this.clientEventFailures.inc();
  }
}
