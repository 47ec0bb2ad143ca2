import { Counter, Histogram, type Registry } from 'prom-client';
import type { AppendObserver } from '../stores/event-store/event-log.js';
import { durationBuckets } from '../http/monitoring/metrics.js';
import type { DomainEvent } from '../kernel/event.js';

/**
 * Counts the events that this process appends to the log, by type: seals, sent and failed e-mails, messages, and
 * all others.
 */
export class AppendMetrics implements AppendObserver {
  private readonly took: Histogram;
  private readonly events: Counter<'type'>;

  constructor(registry: Registry) {
    this.took = new Histogram({
      name: 'palimpsest_append_duration_seconds',
      help: 'Time from encoding events to the acknowledgement by the log',
      // An append to a log in this process takes less time than most requests.
      buckets: [0.0005, ...durationBuckets],
      registers: [registry],
    });
    this.events = new Counter({
      name: 'palimpsest_appended_events_total',
      help: 'Events that this process appended to the log, by type',
      labelNames: ['type'],
      registers: [registry],
    });
  }

  appended(events: readonly DomainEvent[], seconds: number): void {
    this.took.observe(seconds);
    for (const { type } of events) this.events.inc({ type });
  }
}
