import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '../kernel/errors.js';
import { makeDataDirectory } from '../runtime/data-directory.js';
import { eventCatalog } from './event-catalog.js';
import { EventCodec } from './event-store/codec.js';
import { openEmbeddedEventStore } from './event-store/embedded/embedded-event-store.js';
import { inspectLogFile } from './event-store/embedded/inspect-log-file.js';
import { EventLog } from './event-store/event-log.js';
import type { HeadRecords } from './event-store/head-record.js';
import { inspectStore, type LogInspection } from './event-store/inspection.js';
import { advancingHeadRecord } from './event-store/merkle/head-record.js';
import type { EventStore } from './event-store/port.js';
import { TagKey } from './event-store/tags/event-tag.js';
import type { EventTags } from './event-store/tags/event-tags.js';
import { loadTags, type TagSources } from './event-store/tags/load-tags.js';
import { openEmbeddedKeyStore } from './key-store/embedded/embedded-key-store.js';
import { withPreservedKeys } from './key-store/key-wrapping.js';
import type { KeyStore } from './key-store/port.js';
import { loadServerKey, nextKeyFile } from './key-store/server-key.js';
import { Vault } from './key-store/vault.js';
import { keyStoreFile, refuseLostServerKey } from './lost-server-key.js';
import { mongoStores, eventStoreDb } from './server-adapters.js';
import {
  requireLog,
  logFile,
  refuseUnfinishedRestore,
  type StoreConfiguration,
} from './store-configuration.js';

/** The log, and the keys to its erasable content. */
export interface LogStores {
  readonly log: EventLog;
  readonly codec: EventCodec;
  readonly eventStore: EventStore;
  readonly keyStore: KeyStore;
  readonly vault: Vault;
  /** The tags of the log's events. */
  readonly tags: EventTags;
  readonly tagSources: TagSources;
  /** Stores the record of the log's end. */
  readonly headRecords: HeadRecords;
  /** Signs the seals of the log: Ed25519. */
  readonly signingKey: KeyObject;
  close(): Promise<void>;
}

/** A rotation of the server's key was interrupted: some keys are wrapped under the old key, some under the new one. */
export class KeyRotationUnfinishedError extends OperatorError {
  override readonly name = 'KeyRotationUnfinishedError';
  constructor() {
    super(
      'A change of the server’s key was cut off: run "palimpsest owner rotate-server-key" again, which finishes it',
    );
  }
}

/**
 * Opens the log and its keys for a reader, of which at most one follows the log. Nothing is created.
 *
 * @throws NoLogError, ServerKeyError
 */
export function openLogToRead(configuration: StoreConfiguration): Promise<LogStores> {
  requireLog(configuration);
  return openLog(configuration, { readOnly: true, keyMustExist: true, hasOneFollower: true });
}

/** Opens the log for an audit that does not trust its content. @throws NoLogError */
export async function openLogToInspect(configuration: StoreConfiguration): Promise<LogInspection> {
  const { dataDirectory, eventStoreUrl } = configuration;
  if (eventStoreUrl !== null) {
    return inspectStore((await eventStoreDb()).connectEventStoreDb({ connectionString: eventStoreUrl }));
  }
  requireLog(configuration);
  return inspectLogFile(logFile(dataDirectory));
}

interface LogOpening extends Pick<EventStoreOpening, 'readOnly' | 'hasOneFollower'> {
  readonly keyMustExist?: boolean;
}

export async function openLog(
  configuration: StoreConfiguration,
  { readOnly, keyMustExist = false, hasOneFollower = false }: LogOpening,
): Promise<LogStores> {
  const { dataDirectory: directory, serverKeyFile } = configuration;
  refuseUnfinishedRestore(directory);
  makeDataDirectory(directory);
  if (existsSync(nextKeyFile(serverKeyFile))) throw new KeyRotationUnfinishedError();
  if (!keyMustExist) await refuseLostServerKey(configuration);
  const loaded = await loadServerKey(
    !keyMustExist && createsServerKey(configuration)
      ? { directory: dirname(serverKeyFile) }
      : { file: serverKeyFile },
  );
  const keyStore = await openKeyStore(configuration, { readOnly });
  const serverKey = await withPreservedKeys(loaded, keyStore);
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

/** Opens the configured key store. */
export async function openKeyStore(
  { dataDirectory, mongodbUrl }: StoreConfiguration,
  { readOnly }: { readonly readOnly: boolean },
): Promise<KeyStore> {
  return mongodbUrl === null
    ? openEmbeddedKeyStore({ file: keyStoreFile(dataDirectory), readOnly })
    : (await mongoStores()).connectMongoKeyStore({ url: mongodbUrl });
}

/** Name of the note with the record of the log's end, for logs that do not store it themselves. */
const LOG_END = 'log-end';

/** Options of {@link openEventStore}. */
interface EventStoreOpening {
  readonly readOnly: boolean;
  /** Whether at most one follower reads the log; absent: there may be many. */
  readonly hasOneFollower?: boolean;
  readonly keyStore: KeyStore;
  /** Authenticates the record of the log's end. */
  readonly tagKey: TagKey;
  /** The key that the present record is authenticated under; absent: the same. */
  readonly formerTagKey?: TagKey;
}

/** Opens the configured log and the record of its end. */
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

/** Whether the first start creates the server key, in the data directory; a configured file must exist. */
export function createsServerKey({
  dataDirectory,
  serverKeyFile,
}: Pick<StoreConfiguration, 'dataDirectory' | 'serverKeyFile'>): boolean {
  return serverKeyFile === join(dataDirectory, 'server.key');
}
