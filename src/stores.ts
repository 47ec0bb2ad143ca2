import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Configuration } from './config.js';
import { openEmbeddedCredentialStore } from './credential-store/embedded/embedded-credential-store.js';
import type { CredentialStore } from './credential-store/port.js';
import { EventCodec } from './event-store/codec.js';
import { openEmbeddedEventStore } from './event-store/embedded/embedded-event-store.js';
import { inspectLogFile } from './event-store/embedded/inspect-log-file.js';
import { inspectStore, type LogInspection } from './event-store/inspection.js';
import { EventLog } from './event-store/event-log.js';
import type { EventStore } from './event-store/port.js';
import { eventCatalog } from './events.js';
import { openDirectoryFileStore } from './file-store/directory/directory-file-store.js';
import type { FileStore } from './file-store/port.js';
import { SealedFiles } from './file-store/sealed-files.js';
import { openEmbeddedKeyStore } from './key-store/embedded/embedded-key-store.js';
import type { KeyStore } from './key-store/port.js';
import { loadServerKey } from './key-store/server-key.js';
import { Vault } from './key-store/vault.js';
import { openEmbeddedReadStore } from './read-store/embedded/embedded-read-store.js';
import type { ReadStore } from './read-store/port.js';
import type { SignalStore } from './signal-store/port.js';
import { OperatorError } from './kernel/operator-error.js';

/**
 * The client libraries of servers are large, and would be in memory twice (projectors have a thread of their own): only a
 * process that uses them loads them.
 */
const mongoStores = () => import('./mongodb/stores.js');
const eventStoreDb = () => import('./event-store/eventstoredb/event-store-db.js');

const s3FileStore = () => import('./file-store/s3/s3-file-store.js');

/** Where the stores are: what of the configuration opening them depends on. */
export type StoreConfiguration = Pick<
  Configuration,
  'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl' | 'serverKeyFile'
>;

/** The same for a process that answers requests. */
export type ServerStoreConfiguration = StoreConfiguration & Pick<Configuration, 's3'>;

/** What follows the log and keeps read models. */
export interface ProjectionStores {
  readonly log: EventLog;
  readonly readStore: ReadStore;
  close(): Promise<void>;
}

/** The log, and what opens its erasable content. */
export interface LogStores {
  readonly log: EventLog;
  readonly codec: EventCodec;
  readonly eventStore: EventStore;
  readonly keyStore: KeyStore;
  readonly vault: Vault;
  close(): Promise<void>;
}

/** Every store of the server, open. */
export interface Stores extends LogStores, ProjectionStores {
  readonly credentialStore: CredentialStore;
  readonly files: SealedFiles;
  /** Null where the stores are files of one process, which has nobody to tell. */
  readonly signalStore: SignalStore | null;
  close(): Promise<void>;
}

/** There is no log to read. */
export class NoLogError extends OperatorError {
  override readonly name = 'NoLogError';
  constructor(directory: string) {
    super(`There is no event log in DATA_DIR ${directory}: start the server once, or name another directory`);
  }
}

/** A restore did not come to its end: what is in the data directory is not whole. */
export class RestoreUnfinishedError extends OperatorError {
  override readonly name = 'RestoreUnfinishedError';
  constructor(directory: string) {
    super(`A restore into DATA_DIR ${directory} was cut off: repeat it, or name another directory`);
  }
}

/** Opens every store; whatever is missing in the data directory is made. */
export async function openStores(configuration: ServerStoreConfiguration): Promise<Stores> {
  return openAll(configuration, await openLog(configuration, { readOnly: false }));
}

/**
 * Opens every store of an installation that a server was started on before.
 *
 * @throws NoLogError, ServerKeyError
 */
export async function openBegunStores(configuration: ServerStoreConfiguration): Promise<Stores> {
  requireLog(configuration);
  return openAll(configuration, await openLog(configuration, { readOnly: false, keyMustExist: true }));
}

/**
 * Makes sure that a data directory holds a log, where that is where it lies.
 *
 * @throws NoLogError, RestoreUnfinishedError
 */
export function requireLog({
  dataDirectory,
  eventStoreUrl,
}: Pick<StoreConfiguration, 'dataDirectory' | 'eventStoreUrl'>): void {
  refuseUnfinishedRestore(dataDirectory);
  if (eventStoreUrl === null && !existsSync(logFile(dataDirectory))) throw new NoLogError(dataDirectory);
}

async function openAll(configuration: ServerStoreConfiguration, log: LogStores): Promise<Stores> {
  const projection = await withReadStore(configuration, log);
  const fileStore = await openFileStore(configuration);
  const credentialStore =
    configuration.mongodbUrl === null
      ? openEmbeddedCredentialStore({ file: join(configuration.dataDirectory, 'credentials.sqlite') })
      : await (await mongoStores()).connectMongoCredentialStore({ url: configuration.mongodbUrl });
  const signalStore =
    configuration.mongodbUrl === null
      ? null
      : await (await mongoStores()).connectMongoSignalStore({ url: configuration.mongodbUrl });
  return {
    ...projection,
    credentialStore,
    files: new SealedFiles(fileStore, projection.vault),
    signalStore,
    close: async () => {
      await signalStore?.close();
      await fileStore.close();
      await credentialStore.close();
      await projection.close();
    },
  };
}

/** Files are only ever read and written for requests: no projector opens this. */
async function openFileStore({ dataDirectory, s3 }: ServerStoreConfiguration): Promise<FileStore> {
  const stagingDirectory = join(dataDirectory, 'incoming-files');
  return s3 === null
    ? openDirectoryFileStore({ directory: join(dataDirectory, 'files'), stagingDirectory })
    : (await s3FileStore()).openS3FileStore({ ...s3, stagingDirectory });
}

/**
 * Opens what a projector needs; the log is only read, and must be there.
 *
 * @throws NoLogError, ServerKeyError
 */
export async function openProjectionStores(configuration: StoreConfiguration): Promise<ProjectionStores> {
  return withReadStore(configuration, await openLogToRead(configuration));
}

/**
 * Opens the same for somebody who only looks at the read models, too: nothing is made that is not there.
 *
 * @throws NoLogError, ServerKeyError
 */
export async function openProjectionStoresToRead(
  configuration: StoreConfiguration,
): Promise<ProjectionStores> {
  return withReadStore(configuration, await openLogToRead(configuration), { readOnly: true });
}

/**
 * Opens the log and the keys to what it says, for somebody who only reads: nothing is made that is not there.
 *
 * @throws NoLogError, ServerKeyError
 */
export function openLogToRead(configuration: StoreConfiguration): Promise<LogStores> {
  requireLog(configuration);
  return openLog(configuration, { readOnly: true, keyMustExist: true });
}

/** Opens the log for somebody who does not trust it. @throws NoLogError */
export async function openLogToInspect(configuration: StoreConfiguration): Promise<LogInspection> {
  const { dataDirectory, eventStoreUrl } = configuration;
  if (eventStoreUrl !== null) {
    return inspectStore((await eventStoreDb()).connectEventStoreDb({ connectionString: eventStoreUrl }));
  }
  requireLog(configuration);
  return inspectLogFile(logFile(dataDirectory));
}

/** What a data directory holds from the beginning of a restore until its end. */
export function unfinishedRestoreFile(dataDirectory: string): string {
  return join(dataDirectory, 'restore.unfinished');
}

function refuseUnfinishedRestore(dataDirectory: string): void {
  if (existsSync(unfinishedRestoreFile(dataDirectory))) throw new RestoreUnfinishedError(dataDirectory);
}

/** Where the embedded log of a data directory is. */
export function logFile(dataDirectory: string): string {
  return join(dataDirectory, 'events.sqlite');
}

async function openLog(
  configuration: StoreConfiguration,
  { readOnly, keyMustExist = false }: { readonly readOnly: boolean; readonly keyMustExist?: boolean },
): Promise<LogStores> {
  const { dataDirectory: directory, eventStoreUrl, mongodbUrl, serverKeyFile } = configuration;
  refuseUnfinishedRestore(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const serverKey = await loadServerKey(
    keyMustExist ? { file: serverKeyFile } : serverKeyLocation(configuration),
  );
  const keyStore =
    mongodbUrl === null
      ? openEmbeddedKeyStore({ file: join(directory, 'keys.sqlite'), readOnly })
      : await (await mongoStores()).connectMongoKeyStore({ url: mongodbUrl });
  const eventStore =
    eventStoreUrl === null
      ? openEmbeddedEventStore({ file: logFile(directory), readOnly })
      : (await eventStoreDb()).connectEventStoreDb({ connectionString: eventStoreUrl });
  const vault = new Vault({ keyStore, serverKey });
  const codec = new EventCodec(eventCatalog, vault);
  const close = async (): Promise<void> => {
    await eventStore.close();
    await keyStore.close();
  };
  return { log: new EventLog(eventStore, codec), codec, eventStore, keyStore, vault, close };
}

/** Opens the read models, wherever they are. @throws ReadStoreUnavailableError */
export async function openReadStore(
  { dataDirectory, mongodbUrl }: StoreConfiguration,
  { readOnly }: { readonly readOnly: boolean },
): Promise<ReadStore> {
  return mongodbUrl === null
    ? openEmbeddedReadStore({ directory: join(dataDirectory, 'models'), readOnly })
    : (await mongoStores()).connectMongoReadStore({ url: mongodbUrl, readOnly });
}

async function withReadStore(
  configuration: StoreConfiguration,
  stores: LogStores,
  { readOnly } = { readOnly: false },
): Promise<Omit<Stores, 'credentialStore' | 'files' | 'signalStore'>> {
  const readStore = await openReadStore(configuration, { readOnly });
  const close = async (): Promise<void> => {
    await stores.eventStore.close();
    await readStore.close();
    await stores.keyStore.close();
  };
  return { ...stores, readStore, close };
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
