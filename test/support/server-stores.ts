import { EventStoreDbProcess } from './eventstoredb-stand-in/process.js';
import { dropDatabase, newDatabaseUrl } from './mongodb-database.js';

/**
 * The stores of a test's server: embedded ones in its data directory or, with `E2E_STORES=servers`, a new MongoDB database (on the server
 * that `MONGODB_URL` names) and a new EventStoreDB log.
 */
export class ServerStores {
  private constructor(
    /** The server's environment variables for these stores. */
    readonly environment: Readonly<Record<string, string>>,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<ServerStores> {
    return process.env['E2E_STORES'] === 'servers' ? ServerStores.onServers() : ServerStores.embedded();
  }

  static embedded(): ServerStores {
    return new ServerStores({}, () => Promise.resolve());
  }

  /** Needs `MONGODB_URL`, whatever `E2E_STORES` is. */
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
