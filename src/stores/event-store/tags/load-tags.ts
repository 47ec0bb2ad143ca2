import { createSecretKey } from 'node:crypto';
import { eventsOfStream, type EventStore, type PersistedEvent } from '../port.js';
import { TagKey } from './event-tag.js';
import { EventTags, type TaggedRange } from './event-tags.js';
import { unwrapKey } from '../../key-store/key-wrapping.js';
import { KeysMissingError, type KeyStore } from '../../key-store/port.js';
import type { ServerKey } from '../../key-store/server-key.js';
import type { Vault } from '../../key-store/vault.js';
import { TaggingStarted, TAGS_STREAM } from '../../../events/audit.js';

/** What the tags of a log are determined from. */
export interface TagSources {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly keyStore: KeyStore;
  readonly serverKey: Pick<ServerKey, 'wrapping' | 'tagging'>;
  readonly vault: Pick<Vault, 'isTagged'>;
}

/** Id, in the key store, of a tag key that the server no longer writes with. */
export function formerTagKeyId(id: string): string {
  return `tag-key:${id}`;
}

/**
 * Determines from which position on the events of a log have tags, and under which keys. If the server's key says that there are tags, but
 * no event says from where, then all events must have them: somebody removed that event.
 */
export async function loadTags(sources: TagSources): Promise<EventTags> {
  const tags = new EventTags(new TagKey(sources.serverKey.tagging));
  for (const range of await readTaggedRanges(sources, tags.key)) tags.begin(range);
  if (tags.ranges.length === 0 && (await hasTagMark(sources))) tags.begin({ from: 0, key: tags.key });
  return tags;
}

/** The ranges that the log itself declares, in events tagged with the key that they declare. */
export async function readTaggedRanges(
  sources: TagSources,
  present: TagKey,
): Promise<readonly TaggedRange[]> {
  const ranges: TaggedRange[] = [];
  for await (const event of eventsOfStream(sources.eventStore, TAGS_STREAM)) {
    const { success, data } = TaggingStarted.schema.safeParse(event.data);
    if (event.type !== TaggingStarted.type || !success) continue;
    const key = data.key === present.id ? present : await formerKey(sources, data.key);
    if (key?.isWriterOf(event) !== true) continue;
    ranges.push({ from: await beginningOf(sources, event, data.from), key });
  }
  return ranges;
}

async function beginningOf(
  { eventStore }: TagSources,
  event: PersistedEvent,
  from: { readonly stream: string; readonly revision: number } | null,
): Promise<number> {
  if (from === null) return event.position;
  const [first] = await eventStore.readStream(from.stream, { from: from.revision, limit: 1 });
  // If the first declaration is missing, no event before this one is trusted.
  return first?.position ?? 0;
}

async function formerKey({ keyStore, serverKey }: TagSources, id: string): Promise<TagKey | null> {
  const keyId = formerTagKeyId(id);
  const wrapped = (await keyStore.get([keyId])).get(keyId);
  return wrapped ? new TagKey(createSecretKey(unwrapKey(serverKey.wrapping, wrapped))) : null;
}

async function hasTagMark({ vault }: TagSources): Promise<boolean> {
  try {
    return await vault.isTagged();
  } catch (error) {
    // Missing keys are reported when the server starts; a new installation has none yet.
    if (error instanceof KeysMissingError) return false;
    throw error;
  }
}
