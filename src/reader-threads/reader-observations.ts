import { Gauge, Histogram, type Registry } from 'prom-client';
import { durationBuckets } from '../http/monitoring/metrics.js';
import type { ReaderPool } from './reader-pool.js';
import type { ReaderObserver, TaskCost } from './pooled-task.js';

/** Rows, from one document to all messages of a large organization. */
const rowBuckets = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;

/** Metrics of the tasks of reader threads. */
export class ReaderObservations implements ReaderObserver {
  private readonly took = new Histogram({
    name: 'palimpsest_query_duration_seconds',
    help: 'Time that a reader thread took for a query, by its kind',
    labelNames: ['query'] as const,
    buckets: [...durationBuckets],
    registers: [],
  });
  private readonly waited = new Histogram({
    name: 'palimpsest_query_wait_seconds',
    help: 'Time that a query waited for a reader thread, by its kind',
    labelNames: ['query'] as const,
    buckets: [...durationBuckets],
    registers: [],
  });

  private readonly rows = new Histogram({
    name: 'palimpsest_query_rows',
    help: 'Rows that a query on a reader thread read from read models, by its kind',
    labelNames: ['query'] as const,
    buckets: [...rowBuckets],
    registers: [],
  });

  taskEnded(query: string, { waited, ran }: TaskCost): void {
    this.waited.observe({ query }, waited);
    if (ran === null) return;
    this.took.observe({ query }, ran.seconds);
    this.rows.observe({ query }, ran.rows);
  }

  /** Registers the metrics, including the numbers of waiting and running tasks. */
  register(registry: Registry, pool: Pick<ReaderPool, 'waiting' | 'running'>): void {
    registry.registerMetric(this.took);
    registry.registerMetric(this.waited);
    registry.registerMetric(this.rows);
    new Gauge({
      name: 'palimpsest_reader_queue_length',
      help: 'Queries that wait for a reader thread',
      registers: [registry],
      collect() {
        this.set(pool.waiting);
      },
    });
    new Gauge({
      name: 'palimpsest_reader_threads_busy',
      help: 'Reader threads that answer a query',
      registers: [registry],
      collect() {
        this.set(pool.running);
      },
    });
  }
}
