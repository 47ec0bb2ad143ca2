import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Metrics } from '../http/monitoring/metrics.js';
import { Overview } from '../operations/overview/overview.js';
import { MAX_WAITING, type Waiting } from '../operations/overview/server-facts.js';
import { mailModel, type WaitingEmailDocument } from '../contexts/mail/read-model.js';
import { missedMessagesModel, type MissedPushDocument } from '../contexts/missed-messages/read-model.js';
import type { AppendObserver } from '../stores/event-store/event-log.js';
import { AppendMetrics } from '../operations/append-metrics.js';
import { EventQueues } from '../realtime/queues/event-queues.js';
import type { ServerNode } from './server-node.js';

/** Counts the events that this process appends. */
export function observeAppends(application: NestFastifyApplication, { stores, log }: ServerNode): void {
  const metrics = new AppendMetrics(application.get(Metrics, { strict: false }).registry);
  const overview = application.get(Overview, { strict: false });
  const observer: AppendObserver = {
    appended: (events, seconds) => {
      metrics.appended(events, seconds);
      overview.appended(events);
    },
  };
  // Some parts append to the log directly, others through the log that waits for the read models.
  for (const one of [stores.log, log]) one.observe(observer);
}

/** Starts to take samples for the overview of owners. */
export function beginOverview(application: NestFastifyApplication, node: ServerNode): void {
  const queues = application.get(EventQueues, { strict: false });
  application.get(Overview, { strict: false }).begin({
    log: node.stores.log,
    operations: node.operations,
    dataDirectory: node.configuration.dataDirectory,
    sealSeconds: node.configuration.sealing.seconds,
    logger: node.logger,
    models: () => node.positions.status(),
    reactors: () => node.background.status(),
    eventLoops: () => node.eventLoops,
    queues: () => queues,
    waiting: async () => ({
      mails: await mailsWaiting(node),
      notifications: await notificationsWaiting(node),
    }),
  });
}

/** Sorted by an indexed field: e-mails that were not tried yet come before those that are tried again later. */
async function mailsWaiting({ models }: ServerNode): Promise<Waiting> {
  const model = await models.get(mailModel.name, mailModel.collections);
  const mails = model.collection<WaitingEmailDocument>('letters');
  const found = await mails.find({}, { sort: { dueAt: 1 }, limit: MAX_WAITING });
  return waitingSince(found.map(({ requestedAt }) => requestedAt));
}

async function notificationsWaiting({ models }: ServerNode): Promise<Waiting> {
  const model = await models.get(missedMessagesModel.name, missedMessagesModel.collections);
  const pushes = model.collection<MissedPushDocument>('pushes');
  const found = await pushes.find({}, { sort: { notedAt: 1 }, limit: MAX_WAITING });
  return waitingSince(found.map(({ notedAt }) => notedAt));
}

function waitingSince(moments: readonly number[]): Waiting {
  return { count: moments.length, since: moments.length === 0 ? null : Math.min(...moments) };
}
