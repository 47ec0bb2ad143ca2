import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Configuration } from './config.js';
import { openEmbeddedCredentialStore } from './credential-store/embedded/embedded-credential-store.js';
import type { CredentialStore } from './credential-store/port.js';
import { EventCodec } from './event-store/codec.js';
import { openEmbeddedEventStore } from './event-store/embedded/embedded-event-store.js';
import { EventLog } from './event-store/event-log.js';
import type { EventStore } from './event-store/port.js';
import { eventCatalog } from './events.js';
import { openEmbeddedKeyStore } from './key-store/embedded/embedded-key-store.js';
import type { KeyStore } from './key-store/port.js';
import { loadServerKey } from './key-store/server-key.js';
import { Vault } from './key-store/vault.js';
import { openEmbeddedReadStore } from './read-store/embedded/embedded-read-store.js';
import type { ReadStore } from './read-store/port.js';

/**
 * The client libraries of servers are large, and would be in memory twice (projectors have a thread of their own): only a
 * process that uses them loads them.
 */
const mongoStores = () => import('./mongodb/stores.js');
const eventStoreDb = () => import('./event-store/eventstoredb/event-store-db.js');

/** Where the stores are: what of the configuration opening them depends on. */
export type StoreConfiguration = Pick<
  Configuration,
  'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl' | 'serverKeyFile'
>;

/** What follows the log and keeps read models. */
export interface ProjectionStores {
  readonly log: EventLog;
  readonly readStore: ReadStore;
  close(): Promise<void>;
}

/** Every store of the server, open. */
export interface Stores extends ProjectionStores {
  readonly codec: EventCodec;
  readonly eventStore: EventStore;
  readonly keyStore: KeyStore;
  readonly credentialStore: CredentialStore;
  readonly vault: Vault;
}

/** Opens every store; whatever is missing in the data directory is made. */
export async function openStores(configuration: StoreConfiguration): Promise<Stores> {
  const projection = await openLog(configuration, { readOnly: false });
  const credentialStore =
    configuration.mongodbUrl === null
      ? openEmbeddedCredentialStore({ file: join(configuration.dataDirectory, 'credentials.sqlite') })
      : await (await mongoStores()).connectMongoCredentialStore({ url: configuration.mongodbUrl });
  return {
    ...projection,
    credentialStore,
    close: async () => {
      await credentialStore.close();
      await projection.close();
    },
  };
}

/** Opens what a projector needs; the log is only read. */
export function openProjectionStores(configuration: StoreConfiguration): Promise<ProjectionStores> {
  return openLog(configuration, { readOnly: true });
}

async function openLog(
  configuration: StoreConfiguration,
  { readOnly }: { readonly readOnly: boolean },
): Promise<Omit<Stores, 'credentialStore'>> {
  const { dataDirectory: directory, eventStoreUrl, mongodbUrl } = configuration;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const serverKey = await loadServerKey(serverKeyLocation(configuration));
  const keyStore =
    mongodbUrl === null
      ? openEmbeddedKeyStore({ file: join(directory, 'keys.sqlite') })
      : await (await mongoStores()).connectMongoKeyStore({ url: mongodbUrl });
  const readStore =
    mongodbUrl === null
      ? openEmbeddedReadStore({ directory: join(directory, 'models') })
      : await (await mongoStores()).connectMongoReadStore({ url: mongodbUrl });
  const eventStore =
    eventStoreUrl === null
      ? openEmbeddedEventStore({ file: join(directory, 'events.sqlite'), readOnly })
      : (await eventStoreDb()).connectEventStoreDb({ connectionString: eventStoreUrl });
  const vault = new Vault({ keyStore, serverKey });
  const codec = new EventCodec(eventCatalog, vault);
  const close = async (): Promise<void> => {
    await eventStore.close();
    await readStore.close();
    await keyStore.close();
  };
  return { log: new EventLog(eventStore, codec), codec, eventStore, keyStore, readStore, vault, close };
}

/** The file of the data directory is made on the first start; one that the configuration names must be there. */
function serverKeyLocation({
  dataDirectory,
  serverKeyFile,
}: StoreConfiguration): { directory: string } | { file: string } {
  return serverKeyFile === join(dataDirectory, 'server.key')
    ? { directory: dirname(serverKeyFile) }
    : { file: serverKeyFile };
}
