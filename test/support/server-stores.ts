import { EventStoreDbProcess } from './eventstoredb-stand-in/process.js';
import { dropDatabase, newDatabaseUrl } from './mongodb-database.js';

/**
 * The stores that a test's server runs on: embedded ones in its data directory, or, with `E2E_STORES=servers`, a MongoDB
 * database of its own (on the server that `MONGODB_URL` names) and an EventStoreDB log of its own.
 */
export class ServerStores {
  private constructor(
    /** What to start the server with. */
    readonly environment: Readonly<Record<string, string>>,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<ServerStores> {
    return process.env['E2E_STORES'] === 'servers' ? ServerStores.onServers() : ServerStores.embedded();
  }

  static embedded(): ServerStores {
    return new ServerStores({}, () => Promise.resolve());
  }

  /** Needs `MONGODB_URL`, whatever `E2E_STORES` says. */
  static async onServers(): Promise<ServerStores> {
    const mongodb = newDatabaseUrl();
    const log = await EventStoreDbProcess.start();
    return new ServerStores({ EVENTSTORE_URL: log.url, MONGODB_URL: mongodb }, async () => {
      await log.end('SIGTERM');
      await log.remove();
      await dropDatabase(mongodb);
    });
  }
}
