import { appendIfFirst } from '../../stores/event-store/append-if-first.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { HeadRecords } from '../../stores/event-store/head-record.js';
import type { EventStore, PersistedEvent } from '../../stores/event-store/port.js';
import type { TagKey } from '../../stores/event-store/tags/event-tag.js';
import type { EventTags } from '../../stores/event-store/tags/event-tags.js';
import type { Clock } from '../../kernel/clock.js';
import { OperatorError } from '../../kernel/errors.js';
import type { Vault } from '../../stores/key-store/vault.js';
import { TAGS_STREAM } from '../../events/audit.js';
import { decideStartTagging } from '../../operations/operations.decide.js';
import { beginHeadRecord } from '../../stores/event-store/merkle/head-record.js';
import { readTaggedRanges, type TagSources } from '../../stores/event-store/tags/load-tags.js';

/** What {@link beginTagging} needs. */
interface TaggingOptions {
  readonly stores: {
    readonly log: EventLog;
    readonly eventStore: EventStore;
    readonly vault: Pick<Vault, 'isTagged' | 'markTagged'>;
    readonly tags: EventTags;
    readonly tagSources: TagSources;
    readonly headRecords: HeadRecords;
  };
  readonly clock: Clock;
}

type Place = Pick<PersistedEvent, 'stream' | 'revision'>;

/** The log lacks the event that says from where tags begin. The message is a sentence for the operator. */
export class TaggingUnknownError extends OperatorError {
  override readonly name = 'TaggingUnknownError';
  constructor() {
    super(
      'The event log does not say from where its events carry tags, though they do under this server’s key: it was changed, or is another; "palimpsest audit verify" shows what is left, so restore it from a backup',
    );
  }
}

/**
 * Makes sure, before any other write, that the log says from where its events carry tags: a new log from its first
 * event on, a log of an earlier version from now on. It completes a start that was interrupted. Then it records in the
 * key store, under the server's key, that the log has tags, so that nobody without the key can pass off a log with
 * tags as one without.
 *
 * @throws TaggingUnknownError
 */
export async function beginTagging({ stores, clock }: TaggingOptions): Promise<void> {
  const { tags, tagSources, headRecords, vault } = stores;
  const isMarked = await vault.isTagged();
  const expected = await endOfTags(stores.log);
  if ((await readTaggedRanges(tagSources, tags.key)).length === 0) {
    const from = await firstTagged(stores.eventStore, tags.key);
    // The event that says from where tags begin is missing, so the end of the log was removed. The log is accepted if
    // all its events have tags: the checkpoints of read models and reactors will show that events are missing.
    if (isMarked) return assertTaggedFromFirst(stores.eventStore, from);
    await append(stores.log, { expected, data: { key: tags.key.id, from }, at: clock.now() });
  }
  await readTags(stores);
  if (isMarked) return;
  if ((await headRecords.read()) === null) await beginHeadRecord(stores, tags.key);
  await vault.markTagged();
}

/**
 * The same for a log that was just imported: every event received a new tag, whatever the log says about its former
 * tags.
 */
export async function adoptLog({ stores, clock }: TaggingOptions): Promise<void> {
  const { tags, tagSources, headRecords, vault } = stores;
  const expected = await endOfTags(stores.log);
  const first = await firstEvent(stores.eventStore);
  const [begun] = await readTaggedRanges(tagSources, tags.key);
  if (first !== null && (begun === undefined || begun.from > first.position)) {
    const { stream, revision } = first;
    const data = { key: tags.key.id, from: { stream, revision } };
    await append(stores.log, { expected, data, at: clock.now() });
  }
  await readTags(stores);
  if ((await headRecords.read()) === null) await beginHeadRecord(stores, tags.key);
  await vault.markTagged();
}

/** @throws TaggingUnknownError */
async function assertTaggedFromFirst(eventStore: EventStore, from: Place | null): Promise<void> {
  const first = await firstEvent(eventStore);
  const isFirst = first === null || (first.stream === from?.stream && first.revision === from.revision);
  if (!isFirst) throw new TaggingUnknownError();
}

/** The first event from which on all have tags; null: the last event has none. */
async function firstTagged(eventStore: EventStore, key: TagKey): Promise<Place | null> {
  let first: Place | null = null;
  for await (const { events } of eventStore.readAll({ after: null })) {
    for (const event of events) {
      const { stream, revision } = event;
      first = key.isWriterOf(event) ? (first ?? { stream, revision }) : null;
    }
  }
  return first;
}

async function firstEvent(eventStore: EventStore): Promise<PersistedEvent | null> {
  for await (const { events } of eventStore.readAll({ after: null, pageSize: 1 })) return events[0] ?? null;
  return null;
}

async function readTags({ tags, tagSources }: TaggingOptions['stores']): Promise<void> {
  for (const range of await readTaggedRanges(tagSources, tags.key)) tags.begin(range);
}

/**
 * Must be read before the log is examined: otherwise an event that another node appends in between would count as
 * examined.
 */
async function endOfTags({ store }: EventLog): Promise<number | 'no-stream'> {
  const [last] = await store.readStream(TAGS_STREAM, { direction: 'backwards', limit: 1 });
  return last?.revision ?? 'no-stream';
}

interface Beginning {
  readonly expected: number | 'no-stream';
  readonly data: { readonly key: string; readonly from: Place | null };
  readonly at: number;
}

async function append(log: EventLog, { expected, data, at }: Beginning): Promise<void> {
  const metadata = serverMetadata(commandIdOf(['begin-tagging', data.key, String(expected)]), at);
  const target = { stream: TAGS_STREAM, expected };
  // Another node that starts on the same log may be faster.
  await appendIfFirst(log, { target, events: decideStartTagging(data), metadata });
}
