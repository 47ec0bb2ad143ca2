import { beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { MailAbandoned, NOT_WANTED } from '../../src/events/mail.js';
import { OutgoingWebhookFailed } from '../../src/events/outgoing-webhooks.js';
import { Metrics } from '../../src/http/monitoring/metrics.js';
import { AppendMetrics } from '../../src/operations/append-metrics.js';

let registry: Registry;
let metrics: AppendMetrics;

beforeEach(() => {
  registry = new Registry();
  metrics = new AppendMetrics(registry);
});

/** The samples of the counters, but not of the time of appends. */
async function counted(): Promise<readonly string[]> {
  const lines = (await registry.metrics()).split('\n');
  return lines.filter((line) => /^palimpsest_\w+_total/.test(line));
}

describe('Metrics of appends', () => {
  it('begin with 0 where an alert must see the first increase', async () => {
    expect(await counted()).toEqual([
      'palimpsest_appended_events_total{type="LogSealed"} 0',
      'palimpsest_mail_failures_total 0',
      'palimpsest_webhook_failures_total 0',
    ]);
  });

  it('count e-mails and calls that failed, without e-mails that nobody needed any more', async () => {
    const { letterId } = MailAbandoned.example;
    const mail = (reason: string) => ({ type: MailAbandoned.type, data: { letterId, reason } });
    const call = { type: OutgoingWebhookFailed.type, data: OutgoingWebhookFailed.example };
    metrics.appended([mail(NOT_WANTED)], 0.1);
    metrics.appended([mail('550'), mail('EENVELOPE'), call], 0.1);
    expect(await counted()).toEqual([
      'palimpsest_appended_events_total{type="LogSealed"} 0',
      'palimpsest_appended_events_total{type="MailAbandoned"} 3',
      'palimpsest_appended_events_total{type="OutgoingWebhookFailed"} 1',
      'palimpsest_mail_failures_total 2',
      'palimpsest_webhook_failures_total 1',
    ]);
  });
});

it('Metrics of the push relay begin with 0 for each kind of failure', async () => {
  const requests = new Metrics();
  requests.expectPushFailures(['unreachable', 'refused']);
  requests.pushFailed('refused');
  const shown = await requests.registry.metrics();
  expect(shown.match(/^palimpsest_push_failures_total.*$/gm)).toEqual([
    'palimpsest_push_failures_total{failure="unreachable"} 0',
    'palimpsest_push_failures_total{failure="refused"} 1',
  ]);
});

it('Replies with a status of 500 or above are counted from 0, whatever their route', async () => {
  const requests = new Metrics();
  const count = async (): Promise<string> =>
    (await requests.registry.metrics()).match(/^palimpsest_server_errors_total.*$/m)![0];
  expect(await count()).toBe('palimpsest_server_errors_total 0');
  for (const status of [200, 404, 429, 500, 503])
    requests.observe({ method: 'GET', route: `/answers/${status}`, status }, 0.1);
  expect(await count()).toBe('palimpsest_server_errors_total 2');
});
