import { Counter, Histogram, type Registry } from 'prom-client';
import { isFailedMail } from '../events/mail.js';
import { OutgoingWebhookFailed } from '../events/outgoing-webhooks.js';
import { LogSealed } from '../events/audit.js';
import { durationBuckets } from '../http/monitoring/metrics.js';
import { isEvent, type DomainEvent } from '../kernel/event.js';
import type { AppendObserver } from '../stores/event-store/event-log.js';

/**
 * Counts the events that this process appends to the log: all by type, and those that say that something could not
 * be sent.
 */
export class AppendMetrics implements AppendObserver {
  private readonly took: Histogram;
  private readonly events: Counter<'type'>;
  private readonly failedMails: Counter;
  private readonly failedWebhooks: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.took = new Histogram({
      name: 'palimpsest_append_duration_seconds',
      help: 'Time from encoding events to the acknowledgement by the log',
      // An append to a log in this process takes less time than most requests.
      buckets: [0.0005, ...durationBuckets],
      registers,
    });
    this.events = new Counter({
      name: 'palimpsest_appended_events_total',
      help: 'Events that this process appended to the log, by type',
      labelNames: ['type'],
      registers,
    });
    // Prometheus sees no increase in a series that begins with 1, so what alert rules select begins with 0.
    this.events.inc({ type: LogSealed.type }, 0);
    this.failedMails = new Counter({
      name: 'palimpsest_mail_failures_total',
      help: 'E-mails that this process gave up because they could not be delivered',
      registers,
    });
    this.failedWebhooks = new Counter({
      name: 'palimpsest_webhook_failures_total',
      help: 'Calls of outgoing webhooks that this process gave up',
      registers,
    });
  }

  appended(events: readonly DomainEvent[], seconds: number): void {
    this.took.observe(seconds);
    for (const event of events) {
      this.events.inc({ type: event.type });
      if (isFailedMail(event)) this.failedMails.inc();
      if (isEvent(event, OutgoingWebhookFailed)) this.failedWebhooks.inc();
    }
  }
}
