import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ModelStatus } from '../projections/engine/model-position.js';
import { AppModule } from './app.module.js';
import { SealLog } from './audit/sealing/seal-log.js';
import { dutiesOf, reactorsOf } from './background-work.js';
import { InboundMail } from './channel-mail/inbound-mail.js';
import type { ControlCommands } from './cli/control-socket.js';
import { erasePersonCommand, resetOwnerKeyCommand } from './cli/owner-command-names.js';
import { publicUrl } from './config.js';
import { HealthIndicators } from './http/operations/health.js';
import { Metrics } from './http/operations/metrics.js';
import { registerAvailability } from './http/server/availability.js';
import { createHttpApplication } from './http/server/http-application.js';
import { stopApplication } from './http/server/stop-application.js';
import { MailTransport } from './mail/mail-transport.js';
import { watchProjections } from './operations/watch-projections.js';
import { watchReactors } from './operations/watch-reactors.js';
import { erasureOn, type Erasure } from './erasure/erasure.js';
import { provideOwnerKey, resetMessage, resetOwnerKey } from './organization/owner-key.js';
import { PublicAddress } from './organization/public-address.js';
import { EventFeed } from './realtime/event-feed.js';
import type { ServerNode } from './server-node.js';
import { SignalExchange } from './signals/signal-exchange.js';
import { Signals } from './signals/signals.js';
import { IncomingWebhookGuard } from './users/incoming-webhooks.js';

/** A server that answers requests. */
export interface RunningServer {
  /** What command-line tools may ask of it, beside what they ask of every process that keeps read models. */
  readonly commands: ControlCommands;
  /**
   * Finishes what is under way, then closes the stores.
   *
   * @param milliseconds after which requests that are still open are cut off
   */
  stop(milliseconds: number): Promise<void>;
}

/** A node that lags further behind the log than this, in milliseconds, accepts no writes and is not ready. */
const mostLag = 2000;

/** Serves the application on a node that has caught up with the log; resolves when it answers requests. */
export async function serve(node: ServerNode): Promise<RunningServer> {
  const { configuration, logger, stores } = node;
  const application = await createHttpApplication(AppModule.register(node), configuration, logger);
  application.useGlobalGuards(application.get(IncomingWebhookGuard, { strict: false }));
  const metrics = application.get(Metrics, { strict: false });
  metrics.collectProcessMetrics();
  watchProjections(metrics.registry, node.positions);
  watchReactors(metrics.registry, () => node.reactorStatus());
  registerAvailability(application, {
    answersRequests: configuration.nodeRoles.has('api'),
    acceptsWrites: () => node.lagMilliseconds() <= mostLag,
  });
  if (configuration.nodeRoles.has('api')) await node.tell(application.get(EventFeed, { strict: false }));
  const erasure = erasureOn(application, node);
  await erasure.following.start();
  await startReactors(application, node, erasure);
  exchangeSignals(application);
  watchHealth(application, node);
  await application.listen(configuration.port, configuration.host);
  await makeReachable(application, node);
  // Letters name where this server is reached.
  node.perform([...dutiesOf(application), sealing(node)]);
  await listenForMail(application, node);
  return {
    commands: ownerCommands(application, node, erasure),
    stop: async (milliseconds) => {
      await application.get(InboundMail, { strict: false }).close();
      await stopApplication(application, milliseconds);
      await application.get(SignalExchange, { strict: false }).stop();
      await erasure.following.stop();
      await node.stop();
      application.get(MailTransport, { strict: false }).close();
      await stores.close();
    },
  };
}

/** Those of every context, and those that erase: a reply to a deletion waits until what was deleted is gone. */
function startReactors(
  application: NestFastifyApplication,
  node: ServerNode,
  erasure: Erasure,
): Promise<void> {
  const { messages, people, belongings } = erasure;
  const { all, awaited } = reactorsOf(application);
  return node.react([messages, people, belongings, ...all], [...awaited, messages, belongings]);
}

/** Seals are nobody's to wait for: they go to the log directly. */
function sealing({ stores: { log }, clock, configuration }: ServerNode): SealLog {
  const { events, seconds } = configuration.sealing;
  return new SealLog({ log, clock, interval: { events, milliseconds: seconds * 1000 } });
}

/** Every process hears who is here: those that tell people of what they missed ask. */
function exchangeSignals(application: NestFastifyApplication): void {
  const signals = application.get(Signals, { strict: false });
  application.get(SignalExchange, { strict: false }).start((signal) => signals.receive(signal));
}

function watchHealth(application: NestFastifyApplication, node: ServerNode): void {
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
    check: () => {
      const lag = node.lagMilliseconds();
      return lag <= mostLag
        ? Promise.resolve()
        : Promise.reject(new Error(`${Math.round(lag)} ms behind the log`));
    },
  });
}

/** Anybody may ask for a node's readiness: what keeps a model from going on is for operators alone. */
function readinessOf({ projection, state, version, position, lagMilliseconds }: ModelStatus): object {
  return { projection, state, version, checkpoint: position, lag_seconds: lagMilliseconds / 1000 };
}

/** What only a server that answers requests can do. */
function ownerCommands(
  application: NestFastifyApplication,
  node: ServerNode,
  erasure: Erasure,
): ControlCommands {
  return {
    [erasePersonCommand]: async ({ person }) => erasure.person.execute(String(person)),
    [resetOwnerKeyCommand]: async () => {
      const { url } = application.get(PublicAddress, { strict: false });
      return resetMessage(await resetOwnerKey(node, url));
    },
  };
}

/** What depends on the port: it may be any free one. */
async function makeReachable(application: NestFastifyApplication, node: ServerNode): Promise<void> {
  const { configuration } = node;
  const { port } = application.getHttpServer().address() as AddressInfo;
  const site = publicUrl(configuration, port);
  application.get(PublicAddress, { strict: false }).url = site;
  // The key is for whoever looks where requests are answered.
  if (configuration.nodeRoles.has('api')) await provideOwnerKey(node, site);
  announce(node, publicUrl({ ...configuration, publicUrl: null }, port));
}

/** Mail is taken where requests are answered. */
async function listenForMail(application: NestFastifyApplication, node: ServerNode): Promise<void> {
  const { host, port } = node.configuration.inboundMail;
  if (port === null || !node.configuration.nodeRoles.has('api')) return;
  const inbound = application.get(InboundMail, { strict: false });
  const address = `${host}:${await inbound.listen({ host, port }, node.logger)}`;
  node.logger.info({ inboundMail: address }, 'Taking mail for channels');
}

/** The one line that says where everything is. */
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
