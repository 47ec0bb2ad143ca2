import { Injectable } from '@nestjs/common';
import type { ModelStatus } from '../../projections/engine/model-position.js';
import { OperatorSettings } from '../../projections/engine/operator-settings.js';
import { mailModel, type WaitingEmailDocument } from '../contexts/mail/read-model.js';
import { missedMessagesModel, type MissedPushDocument } from '../contexts/missed-messages/read-model.js';
import { HealthIndicators } from '../http/monitoring/health.js';
import { Metrics } from '../http/monitoring/metrics.js';
import { AppendMetrics } from '../operations/append-metrics.js';
import type { ScheduledBackups } from '../operations/backup/scheduled-backups.js';
import { modelFaults } from '../operations/model-readiness.js';
import { Overview } from '../operations/overview/overview.js';
import { lastSeal } from '../stores/event-store/seals.js';
import { MAX_WAITING, type Waiting } from '../operations/overview/server-facts.js';
import { programVersion } from '../operations/program-version.js';
import { watchProjections, watchReactors } from '../operations/watch-projections.js';
import { watchServer, type ServerFigures } from '../operations/watch-server.js';
import { watchEventLoops } from '../reader-threads/watch-event-loops.js';
import { EventQueues } from '../realtime/queues/event-queues.js';
import type { AppendObserver } from '../stores/event-store/event-log.js';
import { ServerNode } from './server-node.js';

/** A node that lags behind the log by more than this, in milliseconds, accepts no writes and is not ready. */
export const MAX_LAG = 2000;

/** What operators and owners see of a running server: metrics, readiness and the overview. */
@Injectable()
export class ServerMonitoring {
  private readonly settings: OperatorSettings;

  constructor(
    private readonly node: ServerNode,
    private readonly metrics: Metrics,
    private readonly health: HealthIndicators,
    private readonly overview: Overview,
    private readonly queues: EventQueues,
  ) {
    this.settings = new OperatorSettings(node.stores.readStore);
  }

  /** Registers the metrics. They are shown in the order of their registration. */
  watch(backups: ScheduledBackups): void {
    const { node, metrics } = this;
    const { registry } = metrics;
    metrics.collectProcessMetrics();
    watchProjections(registry, node.positions);
    watchReactors(registry, () => node.background.status());
    watchServer(registry, this.figures(), node.logger);
    backups.watch(registry);
    this.observeAppends();
    node.threads.observations.register(registry, node.threads.readers);
    watchEventLoops(registry, node.eventLoops);
  }

  /** Registers what the readiness of this process depends on. */
  watchHealth(): void {
    const { node, settings } = this;
    this.health.register({
      name: 'event-store',
      check: async () => {
        await node.stores.eventStore.head();
      },
    });
    this.health.show('models', () => node.positions.status().map(readinessOf));
    this.health.register({
      name: 'read-models',
      check: async (without) => {
        const lag = node.follower.lagMilliseconds();
        const own = lag > MAX_LAG ? [`who may do what is known as of ${Math.round(lag)} ms ago`] : [];
        const unread = node.readFault();
        if (unread !== null) own.push(unread);
        const status = node.positions.status();
        const faults = [...own, ...(await modelFaults({ status, settings, maxLag: MAX_LAG, without }))];
        if (faults.length > 0) throw new Error(faults.join('; '));
      },
    });
  }

  /** Starts to take samples for the overview of owners. */
  beginOverview(): void {
    const { node, queues } = this;
    this.overview.begin({
      log: node.stores.log,
      operations: node.operations,
      dataDirectory: node.configuration.dataDirectory,
      sealSeconds: node.configuration.sealing.seconds,
      logger: node.logger,
      models: () => node.operations.models(),
      reactors: () => node.operations.reactorStatuses(),
      eventLoops: () => node.eventLoops,
      queues: () => queues,
      waiting: async () => ({
        mails: await mailsWaiting(node),
        notifications: await notificationsWaiting(node),
      }),
    });
  }

  endOverview(): void {
    this.overview.end();
  }

  private figures(): ServerFigures {
    const { overview, queues, settings } = this;
    const { stores, positions, configuration } = this.node;
    return {
      version: programVersion(),
      dataDirectory: configuration.dataDirectory,
      logEnd: async () => (await stores.eventStore.head()) ?? 0,
      discardedEvents: () =>
        Promise.all(
          positions.status().map(async ({ projection }) => {
            const { discarded } = await settings.of(projection);
            return [projection, discarded.length] as const;
          }),
        ),
      eventQueues: () => queues,
      lastSealAt: async () => (await lastSeal(stores.log))?.metadata.at ?? null,
      waiting: () => overview.waiting,
    };
  }

  /** Counts the events that this process appends. */
  private observeAppends(): void {
    const { overview } = this;
    const metrics = new AppendMetrics(this.metrics.registry);
    const observer: AppendObserver = {
      appended: (events, seconds) => {
        metrics.appended(events, seconds);
        overview.appended(events);
      },
    };
    this.node.stores.log.observe(observer);
  }
}

/** Readiness is public, so it leaves out why a model is halted: that is for operators only. */
function readinessOf({ projection, state, version, position, lagMilliseconds }: ModelStatus): object {
  return { projection, state, version, checkpoint: position, lag_seconds: lagMilliseconds / 1000 };
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
