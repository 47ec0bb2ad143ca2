import { TAGS_STREAM } from '../events/audit.js';
import { headRecordOf, readHeadRecord } from '../stores/event-store/merkle/head-record.js';
import { formerTagKeyId } from '../stores/event-store/tags/load-tags.js';
import { EventCodec } from '../stores/event-store/codec.js';
import { serverMetadata } from '../stores/event-store/command-metadata.js';
import { commandIdOf } from '../stores/event-store/event-id.js';
import { EventLog } from '../stores/event-store/event-log.js';
import type { HeadRecords } from '../stores/event-store/head-record.js';
import type { EventStore } from '../stores/event-store/port.js';
import { TagKey } from '../stores/event-store/tags/event-tag.js';
import { EventTags } from '../stores/event-store/tags/event-tags.js';
import { eventCatalog } from '../stores/event-catalog.js';
import { OperatorError } from '../kernel/errors.js';
import { KeyUnwrapError, preserveKeys, unwrapKey, wrapKey } from '../stores/key-store/key-wrapping.js';
import type { KeyStore, WrappedKey } from '../stores/key-store/port.js';
import {
  adoptNextServerKey,
  loadNextServerKey,
  loadServerKey,
  type ServerKey,
} from '../stores/key-store/server-key.js';
import { Vault } from '../stores/key-store/vault.js';
import { openEventStore, openKeyStore } from '../stores/open-log.js';
import { requireLog, type StoreConfiguration } from '../stores/store-configuration.js';
import { decideStartTagging } from './operations.decide.js';

/** A request to replace the server key. */
interface RotationRequest {
  readonly configuration: StoreConfiguration;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
  /** Called with the number of keys that were rewrapped so far. */
  readonly onProgress: (keys: number) => void;
}

/**
 * The events of the log have no tags yet, so there is no position to record. The message is a sentence for the
 * operator.
 */
class NotTaggedYetError extends OperatorError {
  override readonly name = 'NotTaggedYetError';
  constructor() {
    super(
      'The events of this log carry no tags yet: start this version of the server once, stop it, and ask again',
    );
  }
}

interface BothKeys {
  readonly present: ServerKey;
  readonly next: ServerKey;
}

/** How many keys are rewrapped in one batch. */
const PAGE = 500;

/**
 * Replaces the server key by a new one. No process may use the stores meanwhile. Each step can be interrupted and
 * repeated: the file of the old key stays until the last step replaces it by the new key. Until then no server can
 * open the stores.
 *
 * @returns how many keys the new server key wraps
 * @throws NotTaggedYetError, NoLogError, ServerKeyError, KeyUnwrapError
 */
export async function rotateServerKey(request: RotationRequest): Promise<number> {
  const { configuration } = request;
  requireLog(configuration);
  const { serverKeyFile: file } = configuration;
  const present = await loadServerKey({ file });
  const keyStore = await openKeyStore(configuration, { readOnly: false });
  try {
    await refuseUntagged(keyStore, present);
    const keys = { present, next: await loadNextServerKey(file) };
    await preserveKeys(keyStore, keys);
    await keyStore.putIfAbsent([formerTagKey(keys)]);
    const count = await rewrapAll(keyStore, keys, request.onProgress);
    await recordInLog(request, keyStore, keys);
    await adoptNextServerKey(file);
    return count;
  } finally {
    await keyStore.close();
  }
}

/** After an interrupted rotation the mark may be wrapped with the next key already: that is no error. */
async function refuseUntagged(keyStore: KeyStore, serverKey: ServerKey): Promise<void> {
  try {
    if (!(await new Vault({ keyStore, serverKey }).isTagged())) throw new NotTaggedYetError();
  } catch (error) {
    if (!(error instanceof KeyUnwrapError)) throw error;
  }
}

function formerTagKey({ present, next }: BothKeys): WrappedKey {
  const id = formerTagKeyId(new TagKey(present.tagging).id);
  return wrapKey(next.wrapping, { id, wrappedBy: null, key: present.tagging.export() });
}

async function rewrapAll(
  keyStore: KeyStore,
  keys: BothKeys,
  onProgress: RotationRequest['onProgress'],
): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    const page = await keyStore.wrappedByServer(after, PAGE);
    await keyStore.rewrap(page.flatMap((key) => rewrapped(key, keys) ?? []));
    count += page.length;
    onProgress(count);
    if (page.length < PAGE) return count;
    after = page.at(-1)!.id;
  }
}

/** Null: already wrapped with the next key. @throws KeyUnwrapError */
function rewrapped(wrapped: WrappedKey, { present, next }: BothKeys): WrappedKey | null {
  try {
    unwrapKey(next.wrapping, wrapped);
    return null;
  } catch (error) {
    if (!(error instanceof KeyUnwrapError)) throw error;
  }
  const { id, wrappedBy } = wrapped;
  return wrapKey(next.wrapping, { id, wrappedBy, key: unwrapKey(present.wrapping, wrapped) });
}

/**
 * Records in the log from which event on tags are made with the next key, and authenticates the record of the log's
 * end with it.
 */
async function recordInLog(
  { configuration, at }: RotationRequest,
  keyStore: KeyStore,
  { present, next }: BothKeys,
): Promise<void> {
  const tagKey = new TagKey(next.tagging);
  const formerTagKey = new TagKey(present.tagging);
  const opened = await openEventStore(configuration, { readOnly: false, keyStore, tagKey, formerTagKey });
  try {
    await appendTagging(opened.eventStore, { tagKey, at, vault: new Vault({ keyStore, serverKey: next }) });
    await authenticateRecord(opened.headRecords, { tagKey, formerTagKey });
  } finally {
    await opened.eventStore.close();
  }
}

async function appendTagging(
  eventStore: EventStore,
  { tagKey, at, vault }: { readonly tagKey: TagKey; readonly at: number; readonly vault: Vault },
): Promise<void> {
  const [last] = await eventStore.readStream(TAGS_STREAM, { direction: 'backwards', limit: 1 });
  // An interrupted rotation may have recorded it already.
  if (last === undefined || last.data['key'] === tagKey.id) return;
  const log = new EventLog(eventStore, new EventCodec(eventCatalog, vault, new EventTags(tagKey)));
  const events = decideStartTagging({ key: tagKey.id, from: null });
  const metadata = serverMetadata(commandIdOf(['rotate-server-key', tagKey.id]), at);
  await log.append({ stream: TAGS_STREAM, expected: last.revision }, events, metadata);
}

/** A store that maintains the record itself has already written it with the append. */
async function authenticateRecord(
  records: HeadRecords,
  { tagKey, formerTagKey }: { readonly tagKey: TagKey; readonly formerTagKey: TagKey },
): Promise<void> {
  const record = await records.read();
  const end = record === null ? null : readHeadRecord(record, formerTagKey);
  if (end !== null) await records.write(headRecordOf(end, tagKey));
}
