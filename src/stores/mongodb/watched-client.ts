import { MongoClient, type MongoClientOptions } from 'mongodb';

/** The driver's timeout of connecting, and of a check of a server, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/** A check that takes longer will never end. */
export const STUCK_AFTER = CONNECT_TIMEOUT + 2_000;

/** Delay between attempts to reconnect, in milliseconds. */
const RETRY = 1_000;

/**
 * A client that reconnects when the driver's check of a server does not end.
 *
 * When a connection breaks just as driver 7.9 begins to check its server, the driver waits forever (it writes to a closed socket, and no
 * event follows): it never finds the server again, and rejects all operations after ten seconds. It happens with servers that the driver
 * polls; those that stream their state (replica sets, and `mongod` since 4.4) are not affected.
 */
export class WatchedMongoClient extends MongoClient {
  private readonly checks = new Map<string, NodeJS.Timeout>();
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
    this.forgetChecks();
    await super.close(force);
  }

  private expectEnd(address: string): void {
    this.ended(address);
    if (this.isOver) return;
    this.checks.set(address, setTimeout(() => void this.renew(), STUCK_AFTER).unref());
  }

  private ended(address: string): void {
    clearTimeout(this.checks.get(address));
    this.checks.delete(address);
  }

  private forgetChecks(): void {
    for (const timer of this.checks.values()) clearTimeout(timer);
    this.checks.clear();
  }

  /** Running operations fail, as they would have at their timeout. */
  private async renew(): Promise<void> {
    if (this.isRenewing || this.isOver) return;
    this.isRenewing = true;
    this.forgetChecks();
    await super.close().catch(() => undefined);
    while (!this.isOver && !(await this.isConnectedAnew())) await pause();
    this.isRenewing = false;
    // It was closed meanwhile, when there may not have been a connection to close.
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
