import { join } from 'node:path';
import { makeTemporaryFolder } from '../runtime/temporary-folder.js';
import { openEmbeddedCredentialStore } from './credential-store/embedded/embedded-credential-store.js';
import type { CredentialStore } from './credential-store/port.js';
import type { EventLog } from './event-store/event-log.js';
import { makeFileFolder } from './file-store/disk-failures.js';
import { openDirectoryFileStore } from './file-store/directory/directory-file-store.js';
import type { FileStore } from './file-store/port.js';
import { EncryptedFiles } from './file-store/encrypted-files.js';
import type { Vault } from './key-store/vault.js';
import { openEmbeddedReadStore } from './read-store/embedded/embedded-read-store.js';
import type { ReadControl, ReadStore } from './read-store/port.js';
import { openEmbeddedQueueStore } from './queue-store/embedded/embedded-queue-store.js';
import type { QueueStore } from './queue-store/port.js';
import type { SignalStore } from './signal-store/port.js';
import { mongoStores, s3FileStore } from './server-adapters.js';
import { type ServerStoreConfiguration, requireLog, type StoreConfiguration } from './store-configuration.js';
import { type LogStores, openLog, openLogToRead } from './open-log.js';

/** The stores of a projector. */
interface ProjectionStores {
  readonly log: EventLog;
  readonly readStore: ReadStore;
  close(): Promise<void>;
}

/** All stores of a server, opened. */
export interface Stores extends LogStores, ProjectionStores {
  readonly credentialStore: CredentialStore;
  readonly files: EncryptedFiles;
  /** Stores clients' event queues, so that they outlive their process. */
  readonly queueStore: QueueStore;
  /** Null: the stores are files of a single process, which has no others to signal. */
  readonly signalStore: SignalStore | null;
  close(): Promise<void>;
}

/** Opens all stores, and creates what is missing in the data directory. */
export async function openStores(configuration: ServerStoreConfiguration): Promise<Stores> {
  return openAll(configuration, await openLog(configuration, { readOnly: false }));
}

/**
 * Opens all stores of an installation on which a server was started before.
 *
 * @throws NoLogError, ServerKeyError
 */
export async function openBegunStores(configuration: ServerStoreConfiguration): Promise<Stores> {
  requireLog(configuration);
  return openAll(configuration, await openLog(configuration, { readOnly: false, keyMustExist: true }));
}

async function openAll(configuration: ServerStoreConfiguration, log: LogStores): Promise<Stores> {
  const projection = await withReadStore(configuration, log);
  if (configuration.s3 === null) await makeFileFolder(filesFolder(configuration));
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
    files: new EncryptedFiles(fileStore, projection.vault),
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

/** Opens the uploaded files for a reader beside the server. */
export async function openFilesToRead(
  configuration: ServerStoreConfiguration,
  vault: Vault,
): Promise<{ readonly files: EncryptedFiles; close(): Promise<void> }> {
  // A directory of its own, because opening the server's would remove the files that it is receiving.
  const staging = makeTemporaryFolder('export');
  const fileStore = await openFileStore(configuration, staging.path);
  const close = async (): Promise<void> => {
    await fileStore.close();
    await staging.remove();
  };
  return { files: new EncryptedFiles(fileStore, vault), close };
}

/** Only requests read and write files, so projectors do not open this. */
async function openFileStore(
  { dataDirectory, s3 }: ServerStoreConfiguration,
  stagingDirectory = join(dataDirectory, 'incoming-files'),
): Promise<FileStore> {
  return s3 === null
    ? openDirectoryFileStore({ directory: filesFolder({ dataDirectory }), stagingDirectory })
    : (await s3FileStore()).openS3FileStore({ ...s3, stagingDirectory });
}

function filesFolder({ dataDirectory }: Pick<StoreConfiguration, 'dataDirectory'>): string {
  return join(dataDirectory, 'files');
}

/**
 * Opens the stores of a projector. The log must exist and is only read.
 *
 * @throws NoLogError, ServerKeyError
 */
export async function openProjectionStores(configuration: StoreConfiguration): Promise<ProjectionStores> {
  requireLog(configuration);
  const log = await openLog(configuration, { readOnly: true, keyMustExist: true });
  return withReadStore(configuration, log);
}

/**
 * Opens the same stores, with the read models read-only too. Nothing is created.
 *
 * @throws NoLogError, ServerKeyError
 */
export async function openProjectionStoresToRead(
  configuration: StoreConfiguration,
): Promise<ProjectionStores> {
  return withReadStore(configuration, await openLogToRead(configuration), { readOnly: true });
}

/** Opens the configured read store; `control` sets the deadlines of reads. @throws ReadStoreUnavailableError */
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
