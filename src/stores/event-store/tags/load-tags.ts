import { createSecretKey } from 'node:crypto';
import type { EventStore, PersistedEvent } from '../port.js';
import { eventsOfStream } from '../stream-pages.js';
import { TagKey } from './event-tag.js';
import { EventTags, type TaggedStretch } from './event-tags.js';
import { unwrapKey } from '../../key-store/key-wrapping.js';
import { KeysMissingError, type KeyStore } from '../../key-store/port.js';
import type { ServerKey } from '../../key-store/server-key.js';
import type { Vault } from '../../key-store/vault.js';
import { TaggingStarted, tagsStream } from '../../../events/audit.js';

/** What tags are known by. */
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
 * From which position on the events of a log carry tags, and under which key. Where the server's key says that they do and nothing
 * in the log says from where, all do: then somebody removed the event that said it.
 */
export async function loadTags(sources: TagSources): Promise<EventTags> {
  const tags = new EventTags(new TagKey(sources.serverKey.tagging));
  for (const stretch of await readStretches(sources, tags.key)) tags.begin(stretch);
  if (tags.stretches.length === 0 && (await isSaidToBeTagged(sources)))
    tags.begin({ from: 0, key: tags.key });
  return tags;
}

/** As the log itself has it: only what carries a tag under the key that it names. */
export async function readStretches(sources: TagSources, present: TagKey): Promise<readonly TaggedStretch[]> {
  const stretches: TaggedStretch[] = [];
  for await (const event of eventsOfStream(sources.eventStore, tagsStream)) {
    const { success, data } = TaggingStarted.schema.safeParse(event.data);
    if (event.type !== TaggingStarted.type || !success) continue;
    const key = data.key === present.id ? present : await formerKey(sources, data.key);
    if (key?.isWriterOf(event) !== true) continue;
    stretches.push({ from: await beginningOf(sources, event, data.from), key });
  }
  return stretches;
}

async function beginningOf(
  { eventStore }: TagSources,
  event: PersistedEvent,
  from: { readonly stream: string; readonly revision: number } | null,
): Promise<number> {
  if (from === null) return event.position;
  const [first] = await eventStore.readStream(from.stream, { from: from.revision, limit: 1 });
  // Where the first one is gone, no event is believed that stands before this one.
  return first?.position ?? 0;
}

async function formerKey({ keyStore, serverKey }: TagSources, id: string): Promise<TagKey | null> {
  const keyId = formerTagKeyId(id);
  const wrapped = (await keyStore.get([keyId])).get(keyId);
  return wrapped ? new TagKey(createSecretKey(unwrapKey(serverKey.wrapping, wrapped))) : null;
}

async function isSaidToBeTagged({ vault }: TagSources): Promise<boolean> {
  try {
    return await vault.isTagged();
  } catch (error) {
    // Missing keys are reported by the start of the server; a new installation has no keys yet.
    if (error instanceof KeysMissingError) return false;
    throw error;
  }
}
