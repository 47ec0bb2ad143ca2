import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Metrics } from '../http/monitoring/metrics.js';
import { Overview } from '../operations/overview/overview.js';
import { mailModel } from '../contexts/mail/read-model.js';
import { missedMessagesModel } from '../contexts/missed-messages/read-model.js';
import type { AppendObserver } from '../stores/event-store/event-log.js';
import type { ModelDefinition } from '../stores/read-store/port.js';
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

/** The count of waiting items stops here. */
const MAX_WAITING = 500;

/** Starts to take samples for the overview of owners. */
export function beginOverview(application: NestFastifyApplication, node: ServerNode): void {
  const queues = application.get(EventQueues, { strict: false });
  const waitingIn = async (definition: ModelDefinition, collection: string): Promise<number> => {
    const model = await node.models.get(definition.name, definition.collections);
    return (await model.collection<{ readonly _id: string }>(collection).find({}, { limit: MAX_WAITING }))
      .length;
  };
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
      mails: await waitingIn(mailModel, 'letters'),
      notifications: await waitingIn(missedMessagesModel, 'pushes'),
    }),
  });
}
