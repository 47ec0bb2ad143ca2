import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Configuration } from '../config.js';
import { openEmbeddedCredentialStore } from './credential-store/embedded/embedded-credential-store.js';
import type { CredentialStore } from './credential-store/port.js';
import { advancingHeadRecord } from './event-store/merkle/head-record.js';
import { loadTags, type TagSources } from './event-store/tags/load-tags.js';
import { makeDataDirectory } from '../runtime/data-directory.js';
import { EventCodec } from './event-store/codec.js';
import { openEmbeddedEventStore } from './event-store/embedded/embedded-event-store.js';
import { inspectLogFile } from './event-store/embedded/inspect-log-file.js';
import { inspectStore, type LogInspection } from './event-store/inspection.js';
import { EventLog } from './event-store/event-log.js';
import type { HeadRecords } from './event-store/head-record.js';
import type { EventStore } from './event-store/port.js';
import { TagKey } from './event-store/tags/event-tag.js';
import type { EventTags } from './event-store/tags/event-tags.js';
import { eventCatalog } from './event-catalog.js';
import { openDirectoryFileStore } from './file-store/directory/directory-file-store.js';
import type { FileStore } from './file-store/port.js';
import { SealedFiles } from './file-store/sealed-files.js';
import { openEmbeddedKeyStore } from './key-store/embedded/embedded-key-store.js';
import type { KeyStore } from './key-store/port.js';
import { withKeptKeys } from './key-store/kept-keys.js';
import { loadServerKey, nextKeyFile } from './key-store/server-key.js';
import { Vault } from './key-store/vault.js';
import { openEmbeddedReadStore } from './read-store/embedded/embedded-read-store.js';
import type { ReadControl, ReadStore } from './read-store/port.js';
import { openEmbeddedQueueStore } from './queue-store/embedded/embedded-queue-store.js';
import type { QueueStore } from './queue-store/port.js';
import type { SignalStore } from './signal-store/port.js';
import { OperatorError } from '../kernel/operator-error.js';

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
  /** Which tags the events of the log carry. */
  readonly tags: EventTags;
  readonly tagSources: TagSources;
  /** Where the record of the log's end is. */
  readonly headRecords: HeadRecords;
  /** Signs the seals of the log: Ed25519. */
  readonly signingKey: KeyObject;
  close(): Promise<void>;
}

/** Every store of the server, open. */
export interface Stores extends LogStores, ProjectionStores {
  readonly credentialStore: CredentialStore;
  readonly files: SealedFiles;
  /** Clients' queues of events, beyond the process that they are in. */
  readonly queueStore: QueueStore;
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

/** A change of the server's key did not come to its end: some keys open under the one, some under the other. */
export class KeyRotationUnfinishedError extends OperatorError {
  override readonly name = 'KeyRotationUnfinishedError';
  constructor() {
    super(
      'A change of the server’s key was cut off: run "palimpsest owner rotate-server-key" again, which finishes it',
    );
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
  const queueStore =
    configuration.mongodbUrl === null
      ? openEmbeddedQueueStore({ file: join(configuration.dataDirectory, 'queues.sqlite') })
      : await (await mongoStores()).connectMongoQueueStore({ url: configuration.mongodbUrl });
  const signalStore =
    configuration.mongodbUrl === null
      ? null
      : await (await mongoStores()).connectMongoSignalStore({ url: configuration.mongodbUrl });
  return {
    ...projection,
    credentialStore,
    files: new SealedFiles(fileStore, projection.vault),
    queueStore,
    signalStore,
    close: async () => {
      await queueStore.close();
      await signalStore?.close();
      await fileStore.close();
      await credentialStore.close();
      await projection.close();
    },
  };
}

/** Uploaded files, for somebody beside the server who only reads them. */
export async function openFilesToRead(
  configuration: ServerStoreConfiguration,
  vault: Vault,
): Promise<{ readonly files: SealedFiles; close(): Promise<void> }> {
  // What comes in to a running server lies in its own folder, which is not to be emptied.
  const stagingDirectory = await mkdtemp(join(tmpdir(), 'palimpsest-export-'));
  const fileStore = await openFileStore(configuration, stagingDirectory);
  const close = async (): Promise<void> => {
    await fileStore.close();
    await rm(stagingDirectory, { recursive: true, force: true });
  };
  return { files: new SealedFiles(fileStore, vault), close };
}

/** Files are only ever read and written for requests: no projector opens this. */
async function openFileStore(
  { dataDirectory, s3 }: ServerStoreConfiguration,
  stagingDirectory = join(dataDirectory, 'incoming-files'),
): Promise<FileStore> {
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
  requireLog(configuration);
  const log = await openLog(configuration, { readOnly: true, keyMustExist: true });
  return withReadStore(configuration, log);
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
 * Opens the log and the keys to what it says, for somebody who only reads, and of whom one at most follows it: nothing is made that is
 * not there.
 *
 * @throws NoLogError, ServerKeyError
 */
export function openLogToRead(configuration: StoreConfiguration): Promise<LogStores> {
  requireLog(configuration);
  return openLog(configuration, { readOnly: true, keyMustExist: true, hasOneFollower: true });
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

interface LogOpening extends Pick<EventStoreOpening, 'readOnly' | 'hasOneFollower'> {
  readonly keyMustExist?: boolean;
}

async function openLog(
  configuration: StoreConfiguration,
  { readOnly, keyMustExist = false, hasOneFollower = false }: LogOpening,
): Promise<LogStores> {
  const { dataDirectory: directory, serverKeyFile } = configuration;
  refuseUnfinishedRestore(directory);
  makeDataDirectory(directory);
  if (existsSync(nextKeyFile(serverKeyFile))) throw new KeyRotationUnfinishedError();
  const loaded = await loadServerKey(
    keyMustExist ? { file: serverKeyFile } : serverKeyLocation(configuration),
  );
  const keyStore = await openKeyStore(configuration, { readOnly });
  const serverKey = await withKeptKeys(loaded, keyStore);
  const opened = await openEventStore(configuration, {
    readOnly,
    hasOneFollower,
    keyStore,
    tagKey: new TagKey(serverKey.tagging),
  });
  const { eventStore } = opened;
  const vault = new Vault({ keyStore, serverKey });
  const tagSources = { eventStore, keyStore, serverKey, vault };
  const tags = await loadTags(tagSources);
  const codec = new EventCodec(eventCatalog, vault, tags);
  const close = async (): Promise<void> => {
    await eventStore.close();
    await keyStore.close();
  };
  const { signing: signingKey } = serverKey;
  const log = new EventLog(eventStore, codec);
  return { ...opened, log, codec, keyStore, vault, tags, tagSources, signingKey, close };
}

/** Opens the store of keys, wherever it is. */
export async function openKeyStore(
  { dataDirectory, mongodbUrl }: StoreConfiguration,
  { readOnly }: { readonly readOnly: boolean },
): Promise<KeyStore> {
  return mongodbUrl === null
    ? openEmbeddedKeyStore({ file: join(dataDirectory, 'keys.sqlite'), readOnly })
    : (await mongoStores()).connectMongoKeyStore({ url: mongodbUrl });
}

/** The name under which the key store keeps the record of the end of a log that does not keep it itself. */
const LOG_END = 'log-end';

/** How {@link openEventStore} opens the log. */
export interface EventStoreOpening {
  readonly readOnly: boolean;
  /** Whether no more than one follows the log; absent: many do. */
  readonly hasOneFollower?: boolean;
  readonly keyStore: KeyStore;
  /** Authenticates the record of the log's end. */
  readonly tagKey: TagKey;
  /** Under which that record was made before; absent: under the same. */
  readonly formerTagKey?: TagKey;
}

/** Opens the log, wherever it is, and the record of its end. */
export async function openEventStore(
  { dataDirectory, eventStoreUrl }: StoreConfiguration,
  { readOnly, hasOneFollower = false, keyStore, tagKey, formerTagKey }: EventStoreOpening,
): Promise<Pick<LogStores, 'eventStore' | 'headRecords'>> {
  if (eventStoreUrl === null) {
    const file = logFile(dataDirectory);
    const advance = advancingHeadRecord(tagKey, formerTagKey);
    const eventStore = openEmbeddedEventStore({ file, readOnly, advance, hasOneFollower });
    return { eventStore, headRecords: eventStore.headRecords };
  }
  const headRecords: HeadRecords = {
    isExact: false,
    read: () => keyStore.readNote(LOG_END),
    write: (record) => keyStore.writeNote(LOG_END, record),
  };
  const options = { connectionString: eventStoreUrl, hasOneFollower };
  return { eventStore: (await eventStoreDb()).connectEventStoreDb(options), headRecords };
}

/** Opens the read models, wherever they are; what is read can be ended by a control. @throws ReadStoreUnavailableError */
export async function openReadStore(
  { dataDirectory, mongodbUrl }: StoreConfiguration,
  { readOnly, control }: { readonly readOnly: boolean; readonly control?: ReadControl },
): Promise<ReadStore> {
  return mongodbUrl === null
    ? openEmbeddedReadStore({
        directory: join(dataDirectory, 'models'),
        readOnly,
        ...(control && { control }),
      })
    : (await mongoStores()).connectMongoReadStore({
        url: mongodbUrl,
        readOnly,
        ...(control && { control }),
      });
}

async function withReadStore(
  configuration: StoreConfiguration,
  stores: LogStores,
  { readOnly } = { readOnly: false },
): Promise<Omit<Stores, 'credentialStore' | 'files' | 'queueStore' | 'signalStore'>> {
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
