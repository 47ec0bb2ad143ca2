import { join } from 'node:path';
import { bootstrapOrganization } from '../../src/node/bootstrap.js';
import { openStores, type Stores } from '../../src/stores/stores.js';
import { SystemClock } from '../../src/runtime/system-clock.js';
import type { ServerStores } from './server-stores.js';

/** Opens the stores of a stopped server in this process. */
export function openStoppedServer(
  directory: string,
  environment: ServerStores['environment'],
): Promise<Stores> {
  return openStores({
    dataDirectory: directory,
    eventStoreUrl: environment['EVENTSTORE_URL'] ?? null,
    mongodbUrl: environment['MONGODB_URL'] ?? null,
    serverKeyFile: join(directory, 'server.key'),
    s3: null,
  });
}

/** Creates a log like the first start of a server, without starting one. */
export async function beginLog(directory: string, { environment }: ServerStores): Promise<void> {
  const stores = await openStoppedServer(directory, environment);
  const configuration = { organizationName: 'Looms', ownerEmail: 'jo@example.com', ownerName: 'Jo' };
  await bootstrapOrganization({ configuration, stores, clock: new SystemClock() });
  await stores.close();
}
