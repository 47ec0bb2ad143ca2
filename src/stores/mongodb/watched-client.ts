import { MongoClient, type MongoClientOptions } from 'mongodb';

/** How long the driver gives a connection, and an answer to a look at a server, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/** A look that takes longer will never end. */
export const STUCK_AFTER = CONNECT_TIMEOUT + 2_000;

/** Between attempts to connect anew, in milliseconds. */
const RETRY = 1_000;

/**
 * A client that connects anew when the driver's look at a server does not end.
 *
 * When a connection breaks just as the driver begins to look at its server through it, driver 7.9 waits for ever (it writes to a socket
 * that is gone, and no event follows): it never finds the server again, and refuses every operation after its ten seconds. This happens
 * where servers are asked from time to time; those that tell of their state by themselves (replica sets and `mongod` since 4.4) are not concerned.
 */
export class WatchedMongoClient extends MongoClient {
  private readonly looks = new Map<string, NodeJS.Timeout>();
  private isOver = false;
  private isRenewing = false;

  constructor(url: string, options: MongoClientOptions = {}) {
    super(url, { connectTimeoutMS: CONNECT_TIMEOUT, ...options });
    this.on('serverHeartbeatStarted', ({ connectionId, awaited }) => {
      if (!awaited) this.expectEnd(connectionId);
    });
    this.on('serverHeartbeatSucceeded', ({ connectionId }) => this.ended(connectionId));
    this.on('serverHeartbeatFailed', ({ connectionId }) => this.ended(connectionId));
  }

  override async close(force?: boolean): Promise<void> {
    this.isOver = true;
    this.forgetLooks();
    await super.close(force);
  }

  private expectEnd(address: string): void {
    this.ended(address);
    if (this.isOver) return;
    this.looks.set(address, setTimeout(() => void this.renew(), STUCK_AFTER).unref());
  }

  private ended(address: string): void {
    clearTimeout(this.looks.get(address));
    this.looks.delete(address);
  }

  private forgetLooks(): void {
    for (const timer of this.looks.values()) clearTimeout(timer);
    this.looks.clear();
  }

  /** What is under way fails, as it would have when its time is over. */
  private async renew(): Promise<void> {
    if (this.isRenewing || this.isOver) return;
    this.isRenewing = true;
    this.forgetLooks();
    await super.close().catch(() => undefined);
    while (!this.isOver && !(await this.isConnectedAnew())) await pause();
    this.isRenewing = false;
    // It was closed meanwhile, when there may have been nothing to close.
    if (this.isOver) await super.close();
  }

  /** Errors are not reported here: the operations that need the server fail with them. */
  private async isConnectedAnew(): Promise<boolean> {
    try {
      await this.connect();
      return true;
    } catch {
      return false;
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, RETRY).unref());
}
