import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { messagesOf, requestIn } from './mongodb-stand-in/wire.js';

/** By which clients look whether a server is there. */
const GREETINGS = new Set(['hello', 'ismaster', 'isMaster']);

/** What waits at a link: everything, or what is no greeting. */
export type Unanswered = 'everything' | 'all but greetings';

interface Held {
  readonly what: Unanswered;
  readonly over: Promise<void>;
  readonly letGo: () => void;
}

/** Where a link leads. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Stands between clients and a MongoDB server, and knows what they ask: it counts that, and can leave it unanswered, also when the
 * server still says that it is there.
 */
export class MongoLink {
  private readonly sockets = new Set<Socket>();
  private readonly asked = new Map<string, number>();
  private held: Held | null = null;
  private holdingFrom: string | null = null;
  private readonly listener: Server;

  private constructor(private readonly target: Address) {
    this.listener = createServer((near) => void this.serve(near));
  }

  /** @param url of the server, as `MONGODB_URL` has it; of one host */
  static async to(url: string): Promise<MongoLink> {
    const { hostname, port } = new URL(url);
    const link = new MongoLink({ host: hostname, port: Number(port || 27_017) });
    link.listener.listen(0, '127.0.0.1');
    await once(link.listener, 'listening');
    return link;
  }

  /** The same URL by way of the link. */
  urlOf(url: string): string {
    const { port } = this.listener.address() as AddressInfo;
    return url.replace(new URL(url).host, `127.0.0.1:${port}`);
  }

  /** How often each command was asked for of each collection since the last look at this, such as `find users`; greetings are left out. */
  takeCounts(): ReadonlyMap<string, number> {
    const counts = new Map(this.asked);
    this.asked.clear();
    return counts;
  }

  /** How often something was asked for since the counts were taken. */
  countOf(command: string): number {
    return this.asked.get(command) ?? 0;
  }

  /** Lets what is asked for from now on wait until the link is mended. Connections stay open, and new ones are taken. */
  hold(what: Unanswered): void {
    this.mend();
    let letGo = (): void => undefined;
    const over = new Promise<void>((resolve) => (letGo = resolve));
    this.held = { what, over, letGo };
  }

  /** Holds everything but greetings as soon as a command is asked for, such as `createIndexes`. */
  holdFrom(command: string): void {
    this.holdingFrom = command;
  }

  mend(): void {
    this.holdingFrom = null;
    this.held?.letGo();
    this.held = null;
  }

  async close(): Promise<void> {
    this.mend();
    const closed = once(this.listener, 'close');
    this.listener.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async serve(near: Socket): Promise<void> {
    const far = connect(this.target);
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      // Whichever end goes, the other goes with it.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    far.pipe(near);
    try {
      for await (const message of messagesOf(near)) {
        await this.letPass(message);
        far.write(message);
      }
    } catch {
      // A connection that breaks ends in an error: both ends are gone then.
    }
  }

  private async letPass(message: Buffer): Promise<void> {
    const { command } = requestIn(message);
    const [name = '', collection] = Object.entries(command)[0] ?? [];
    if (GREETINGS.has(name)) {
      if (this.held?.what === 'everything') await this.held.over;
      return;
    }
    const what = typeof collection === 'string' ? `${name} ${collection}` : name;
    this.asked.set(what, (this.asked.get(what) ?? 0) + 1);
    if (name === this.holdingFrom) this.hold('all but greetings');
    await this.held?.over;
  }
}
