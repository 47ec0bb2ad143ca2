import { Counter, Histogram, type Registry } from 'prom-client';
import type { AppendObserver } from '../stores/event-store/append-observer.js';
import { DURATION_BUCKETS } from '../http/monitoring/metrics.js';
import type { DomainEvent } from '../kernel/event.js';

/** Counts what this process appends to the log, by type: seals, e-mails that were sent or failed, messages, and all else. */
export class AppendMetrics implements AppendObserver {
  private readonly took: Histogram;
  private readonly events: Counter<'type'>;

  constructor(registry: Registry) {
    this.took = new Histogram({
      name: 'palimpsest_append_duration_seconds',
      help: 'Time from encoding events to the acknowledgement of the log',
      // A log in this process acknowledges in less than what most requests take.
      buckets: [0.0005, ...DURATION_BUCKETS],
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
