import { setTimeout as hold } from 'node:timers/promises';
import { FaultyLink } from '../../support/faulty-link.js';
import type { TestServer } from '../../support/server.js';
import type { Installation } from './installation.js';

/** A store of an installation: the event log, or the server that read models are on. */
export type StoreName = 'log' | 'models';

/** A process of an installation with a link of its own to each store, which can be killed, paused, and cut off from either. */
export class FaultyNode {
  /** Whether it was not killed. */
  isUp = true;

  private constructor(
    readonly name: string,
    private readonly links: Readonly<Record<StoreName, FaultyLink>>,
    private readonly launch: () => Promise<TestServer>,
    public server: TestServer,
  ) {}

  static async start(installation: Installation, name: string, roles: string): Promise<FaultyNode> {
    const { EVENTSTORE_URL, MONGODB_URL } = installation.environment;
    const [log, models] = await Promise.all([linkTo(EVENTSTORE_URL!), linkTo(MONGODB_URL!)]);
    const stores = {
      EVENTSTORE_URL: withHost(EVENTSTORE_URL!, log.address),
      MONGODB_URL: withHost(MONGODB_URL!, models.address),
    };
    const launch = (): Promise<TestServer> => installation.start(name, roles, stores);
    return new FaultyNode(name, { log, models }, launch, await launch());
  }

  async restartAfterKill(): Promise<void> {
    this.isUp = false;
    await this.server.kill();
    this.server = await this.launch();
    this.isUp = true;
  }

  async pausedFor(seconds: number): Promise<void> {
    this.server.pause();
    await hold(1000 * seconds);
    this.server.goOn();
  }

  async cutOffFrom(store: StoreName, seconds: number): Promise<void> {
    await this.links[store].cut();
    await hold(1000 * seconds);
    await this.links[store].mend();
  }

  async removeLinks(): Promise<void> {
    await Promise.all(Object.values(this.links).map((link) => link.cut()));
  }
}

function linkTo(url: string): Promise<FaultyLink> {
  const { hostname, port } = new URL(url);
  return FaultyLink.to({ host: hostname, port: Number(port) });
}

function withHost(url: string, address: string): string {
  const parsed = new URL(url);
  return url.replace(parsed.host, address);
}
