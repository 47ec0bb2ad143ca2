import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ModelStatus } from '../../projections/engine/model-position.js';
import { OperatorSettings } from '../../projections/engine/operator-settings.js';
import { AppModule } from '../app.module.js';
import { ScheduledBackups } from '../operations/backup/scheduled-backups.js';
import { SealLog } from '../audit/sealing/seal-log.js';
import { jobsOf, reactorsOf } from '../../projections/engine/background-work.js';
import { InboundMail } from '../contexts/channel-mail/inbound-mail.js';
import type { ControlCommands } from '../operations/control-socket.js';
import { publicUrl } from '../configuration/public-url.js';
import { HealthIndicators } from '../http/monitoring/health.js';
import { Metrics } from '../http/monitoring/metrics.js';
import { registerAvailability } from '../http/server/availability.js';
import { createHttpApplication, stopApplication } from '../http/server/http-application.js';
import { traceRequests } from '../http/server/request-hooks.js';
import { MailTransport } from '../contexts/mail/mail-transport.js';
import { modelFaults } from '../operations/model-readiness.js';
import { Overview } from '../operations/overview/overview.js';
import { lastSeal } from '../operations/overview/sealing.js';
import { programVersion } from '../operations/program-version.js';
import { watchProjections, watchReactors } from '../operations/watch-projections.js';
import { watchServer, type ServerFigures } from '../operations/watch-server.js';
import { serveConsole } from '../operations/console/serve-console.js';
import { erasureOn, type Erasure } from './erasure.js';
import { provideOwnerKey } from './owner-key.js';
import { PublicAddress } from '../http/public-address.js';
import { EventFeed } from '../realtime/event-feed.js';
import { EventQueues } from '../realtime/queues/event-queues.js';
import { ownerCommands } from './owner-commands.js';
import { beginOverview, observeAppends } from './server-overview.js';
import type { ServerNode } from './server-node.js';
import { watchEventLoops } from '../reader-threads/watch-event-loops.js';
import { SignalExchange } from '../realtime/signals/signal-exchange.js';
import { IncomingWebhookGuard } from '../contexts/users/incoming-webhooks.js';

/** A server that answers requests. */
export interface RunningServer {
  /** Commands for command-line tools, in addition to those of every process. */
  readonly commands: ControlCommands;
  /**
   * Finishes running requests, then closes the stores.
   *
   * @param milliseconds after which open requests are aborted
   */
  stop(milliseconds: number): Promise<void>;
}

/** A node that lags behind the log by more than this, in milliseconds, accepts no writes and is not ready. */
const MAX_LAG = 2000;

/** Serves the application on a node that has caught up with the log; resolves when it answers requests. */
export async function serve(node: ServerNode): Promise<RunningServer> {
  const { configuration, logger, stores } = node;
  const application = await createHttpApplication(AppModule.register(node), configuration, logger);
  serveConsole(application.getHttpAdapter().getInstance());
  if (node.log.tracer !== null) traceRequests(application.getHttpAdapter().getInstance(), node.log.tracer);
  application.useGlobalGuards(application.get(IncomingWebhookGuard, { strict: false }));
  const metrics = application.get(Metrics, { strict: false });
  metrics.collectProcessMetrics();
  watchProjections(metrics.registry, node.positions);
  watchReactors(metrics.registry, () => node.background.status());
  const settings = new OperatorSettings(stores.readStore);
  watchServer(metrics.registry, figuresOf(application, node, settings), logger);
  const backups = new ScheduledBackups(configuration, logger, () => node.clock.now());
  backups.watch(metrics.registry);
  observeAppends(application, node);
  node.threads.observations.register(metrics.registry, node.threads.readers);
  watchEventLoops(metrics.registry, node.eventLoops);
  registerAvailability(application, {
    answersRequests: configuration.nodeRoles.has('api'),
    acceptsWrites: () => node.lagMilliseconds() <= MAX_LAG,
  });
  if (configuration.nodeRoles.has('api')) await node.follow(application.get(EventFeed, { strict: false }));
  const erasure = erasureOn(application, node);
  await erasure.following.start();
  await startReactors(application, node, erasure);
  // Every process exchanges presence signals, because the reactors that notify people of missed messages use them.
  application.get(SignalExchange, { strict: false }).start();
  watchHealth(application, node, settings);
  await application.listen(configuration.port, configuration.host);
  if (configuration.nodeRoles.has('api')) void node.threads.readers.warmUp();
  await makeReachable(application, node);
  // Jobs start after the public address is known, because e-mails contain it.
  beginOverview(application, node);
  const jobs = configuration.reactors ? jobsOf(application) : [];
  node.background.perform([...jobs, erasure.securityRecords, sealing(node), backups]);
  await listenForMail(application, node);
  return {
    commands: ownerCommands(application, node, erasure),
    stop: async (milliseconds) => {
      application.get(Overview, { strict: false }).end();
      await application.get(InboundMail, { strict: false }).close();
      await stopApplication(application, milliseconds);
      await application.get(SignalExchange, { strict: false }).stop();
      await erasure.following.stop();
      await backups.stop();
      await node.stop();
      application.get(MailTransport, { strict: false }).close();
      await stores.close();
    },
  };
}

function figuresOf(
  application: NestFastifyApplication,
  { stores, positions, configuration }: ServerNode,
  settings: OperatorSettings,
): ServerFigures {
  const queues = application.get(EventQueues, { strict: false });
  const overview = application.get(Overview, { strict: false });
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

/**
 * Starts the reactors of all contexts and those that erase. The reply to a deletion waits until the data is erased.
 * With `REACTORS=off` only those that erase are started, because they notify nobody: the events for the others stay
 * unhandled in the log.
 */
function startReactors(
  application: NestFastifyApplication,
  node: ServerNode,
  erasure: Erasure,
): Promise<void> {
  const { messages, people, records } = erasure;
  const erasing = [messages, people, records];
  if (!node.configuration.reactors) {
    node.logger.warn(
      {},
      'REACTORS is off: nothing is sent, and nothing follows from events until a start without it',
    );
    return node.react(erasing, [messages, records]);
  }
  const { all, awaited } = reactorsOf(application);
  return node.react([...erasing, ...all], [...awaited, messages, records]);
}

/** Seals are appended to the log directly, because no request waits until read models include them. */
function sealing({ stores, clock, configuration }: ServerNode): SealLog {
  const { log, signingKey, headRecords, tags } = stores;
  const { events, seconds } = configuration.sealing;
  const authority = { signingKey, headRecords, tagKey: tags.key };
  return new SealLog({ log, clock, interval: { events, milliseconds: seconds * 1000 }, authority });
}

function watchHealth(
  application: NestFastifyApplication,
  node: ServerNode,
  settings: OperatorSettings,
): void {
  const health = application.get(HealthIndicators, { strict: false });
  health.register({
    name: 'event-store',
    check: async () => {
      await node.stores.eventStore.head();
    },
  });
  health.show('models', () => node.positions.status().map(readinessOf));
  health.register({
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

/** Readiness is public, so it leaves out why a model is halted: that is for operators only. */
function readinessOf({ projection, state, version, position, lagMilliseconds }: ModelStatus): object {
  return { projection, state, version, checkpoint: position, lag_seconds: lagMilliseconds / 1000 };
}

/** Sets up what depends on the actual port, which is any free one if `PORT` is 0. */
async function makeReachable(application: NestFastifyApplication, node: ServerNode): Promise<void> {
  const { configuration } = node;
  const { port } = application.getHttpServer().address() as AddressInfo;
  const site = publicUrl(configuration, port);
  application.get(PublicAddress, { strict: false }).url = site;
  // The owner looks for the credentials on the machine that answers requests.
  if (configuration.nodeRoles.has('api')) await provideOwnerKey(node, site);
  announce(node, publicUrl({ ...configuration, publicUrl: null }, port));
}

/** A process that answers requests also accepts mail. */
async function listenForMail(application: NestFastifyApplication, node: ServerNode): Promise<void> {
  const { host, port } = node.configuration.inboundMail;
  if (port === null || !node.configuration.nodeRoles.has('api')) return;
  const inbound = application.get(InboundMail, { strict: false });
  const address = `${host}:${await inbound.listen({ host, port }, node.logger)}`;
  node.logger.info({ inboundMail: address }, 'Taking mail for channels');
}

/** Logs the one line with the server's addresses. */
function announce({ configuration, logger }: ServerNode, address: string): void {
  logger.info(
    {
      address,
      events: configuration.eventStoreUrl === null ? 'embedded' : 'EventStoreDB',
      models: configuration.mongodbUrl === null ? 'embedded' : 'MongoDB',
      documentation: `${address}/api/docs`,
    },
    'Ready',
  );
}
