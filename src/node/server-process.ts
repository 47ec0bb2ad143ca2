import { Injectable, type Provider } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { jobsOf, reactorsOf } from '../../projections/engine/background-work.js';
import { SealLog } from '../audit/sealing/jobs.js';
import { publicUrl } from '../configuration/public-url.js';
import { InboundMail } from '../contexts/channel-mail/inbound-mail.js';
import { MailTransport } from '../contexts/mail/mail-transport.js';
import { PublicAddress } from '../http/public-address.js';
import { ScheduledBackups } from '../operations/backup/scheduled-backups.js';
import { EventFeed } from '../realtime/event-feed.js';
import { Erasure } from './erasure.js';
import { OwnerCommands } from './owner-commands.js';
import { provideOwnerKey } from './owner-key.js';
import { ServerMonitoring } from './server-monitoring.js';
import { ServerNode } from './server-node.js';

/**
 * Starts and stops what runs in a server beside its requests. Its order is one for the whole process, across modules, so these are methods
 * that the server calls and no lifecycle hooks of Nest: see docs/adr/0039-one-provider-starts-and-stops-the-server.md.
 */
@Injectable()
export class ServerProcess {
  private readonly backups: ScheduledBackups;

  constructor(
    private readonly node: ServerNode,
    private readonly discovery: DiscoveryService,
    private readonly monitoring: ServerMonitoring,
    private readonly erasure: Erasure,
    private readonly feed: EventFeed,
    private readonly address: PublicAddress,
    private readonly inboundMail: InboundMail,
    private readonly mailTransport: MailTransport,
  ) {
    this.backups = new ScheduledBackups(node.configuration, node.logger, () => node.clock.now());
  }

  /** Registers the metrics of the process. */
  watch(): void {
    this.monitoring.watch(this.backups);
  }

  /** Starts what must run before the first request is answered. */
  async beforeListening(): Promise<void> {
    if (this.answersRequests) await this.node.follow(this.feed);
    await this.erasure.following.start();
    await this.startReactors();
    // Every process exchanges presence signals, because the reactors that notify people of missed messages use them.
    this.node.exchangeSignals();
    this.monitoring.watchHealth();
  }

  /**
   * Starts what depends on the actual port.
   *
   * @param port the one it listens on, which is any free one if `PORT` is 0
   */
  async afterListening(port: number): Promise<void> {
    const { node } = this;
    if (this.answersRequests) void node.threads.readers.warmUp();
    await this.makeReachable(port);
    // Jobs start after the public address is known, because e-mails contain it.
    this.monitoring.beginOverview();
    const jobs = node.configuration.reactors ? jobsOf(this.discovery) : [];
    node.background.perform([...jobs, this.erasure.securityRecords, sealing(node), this.backups]);
    await this.listenForMail();
  }

  /** Stops what brings in new work, before the last requests are finished. */
  async beforeShutdown(): Promise<void> {
    this.monitoring.endOverview();
    await this.inboundMail.close();
  }

  /** Stops everything else, and closes the stores; no request uses them any more. */
  async afterShutdown(): Promise<void> {
    await this.node.signals.stop();
    await this.erasure.following.stop();
    await this.backups.stop();
    await this.node.stop();
    this.mailTransport.close();
    await this.node.stores.close();
  }

  private get answersRequests(): boolean {
    return this.node.configuration.nodeRoles.has('api');
  }

  /**
   * Starts the reactors of all contexts and those that erase. The reply to a deletion waits until the data is erased.
   * With `REACTORS=off` only those that erase are started, because they notify nobody: the events for the others stay
   * unhandled in the log.
   */
  private startReactors(): Promise<void> {
    const { messages, people, records } = this.erasure;
    const erasing = [messages, people, records];
    if (!this.node.configuration.reactors) {
      this.node.logger.warn(
        {},
        'REACTORS is off: nothing is sent, and nothing follows from events until a start without it',
      );
      return this.node.react(erasing, [messages, records]);
    }
    const { all, awaited } = reactorsOf(this.discovery);
    return this.node.react([...erasing, ...all], [...awaited, messages, records]);
  }

  /** Sets up what depends on the server's address, and logs the one line with its addresses. */
  private async makeReachable(port: number): Promise<void> {
    const { configuration, logger } = this.node;
    this.address.url = publicUrl(configuration, port);
    // The owner looks for the credentials on the machine that answers requests.
    if (this.answersRequests) await provideOwnerKey(this.node, this.address.url);
    const address = publicUrl({ ...configuration, publicUrl: null }, port);
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

  /** A process that answers requests also accepts mail. */
  private async listenForMail(): Promise<void> {
    const { configuration, logger } = this.node;
    const { host, port } = configuration.inboundMail;
    if (port === null || !this.answersRequests) return;
    const address = `${host}:${await this.inboundMail.listen({ host, port }, logger)}`;
    logger.info({ inboundMail: address }, 'Taking mail for channels');
  }
}

/** Seals are appended to the log directly, because no request waits until read models include them. */
function sealing({ stores, clock, configuration }: ServerNode): SealLog {
  const { log, signingKey, headRecords, tags } = stores;
  const { events, seconds } = configuration.sealing;
  const authority = { signingKey, headRecords, tagKey: tags.key };
  return new SealLog({ log, clock, interval: { events, milliseconds: seconds * 1000 }, authority });
}

/** What a server runs beside the application, to which these are added. */
export function serverProviders(node: ServerNode): Provider[] {
  const present = { provide: ServerNode, useValue: node };
  return [present, ServerMonitoring, Erasure, OwnerCommands, ServerProcess];
}
