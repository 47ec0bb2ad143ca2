import type { AnyEventDefinition, DomainEvent, EventMetadata, RecordedEvent } from '../../kernel/event.js';
import { TimeSlice } from '../../runtime/time-slice.js';
import type { Vault } from '../key-store/vault.js';
import type { EventCatalog } from './catalog.js';
import { InvalidEventError, UnreadableEventError } from './codec-errors.js';
import { draftEvent, finishEvent, type EventDraft, type SizedEvent } from './event-draft.js';
import { eventId } from './event-id.js';
import {
  isEncrypted,
  readClearEvent,
  readErasedEvent,
  readEvent,
  readDecryptedEvent,
  encryptedRecordOf,
} from './event-reading.js';
import {
  AppendTooLargeError,
  firstRevision,
  MAX_APPEND_BYTES,
  type ExpectedRevision,
  type PersistedEvent,
  type StoredEvent,
} from './port.js';
import type { EventTags } from './tags/event-tags.js';

/** Where events are to be appended. */
export interface AppendPlace {
  readonly stream: string;
  readonly expected: ExpectedRevision;
}

/**
 * Converts domain events to their stored form and back: the only place where events are validated, upcast, encrypted, hashed and tagged.
 *
 * A stored event is `{ id, type, data, metadata }`. `data` is the event's data without its erasable fields, which are in `data.sealed`:
 * base64 of the initialisation vector (12 bytes), the ciphertext of a JSON object with these fields, and the AES-256-GCM tag (16 bytes),
 * bound to the event's id and type. `metadata` is {@link EventMetadata} with `schemaVersion`, `key` (the id of the key of `data.sealed`, if
 * it is present), `hash` (see {@link eventHash}) and `tag` (see {@link TagKey}).
 */
export class EventCodec {
  constructor(
    private readonly catalog: EventCatalog,
    private readonly vault: Vault,
    /** Null: events get no tags and are trusted without them. */
    private readonly tags: EventTags | null = null,
  ) {}

  /**
   * Encodes the events that one command appends to one stream. Their keys are durable when this resolves. For the same command, it always
   * gives the same ids, and content under the same keys. Long work gives the event loop a turn between events.
   *
   * @param place if its revision is exact, the tags cover it
   * @throws InvalidEventError, AppendTooLargeError, KeyDestroyedError, KeyStoreUnavailableError
   */
  async encode(
    place: AppendPlace,
    events: readonly DomainEvent[],
    metadata: EventMetadata,
  ): Promise<StoredEvent[]> {
    return (await this.encodeSized(place, events, metadata)).map(({ event }) => event);
  }

  /** As {@link encode}, with the size that each event has towards {@link MAX_APPEND_BYTES}. */
  async encodeSized(
    { stream, expected }: AppendPlace,
    events: readonly DomainEvent[],
    metadata: EventMetadata,
  ): Promise<SizedEvent[]> {
    const slice = new TimeSlice();
    const drafts: EventDraft[] = [];
    for (const [index, event] of events.entries()) {
      if (slice.isOver) await slice.next();
      drafts.push(this.draft(event, eventId(metadata.commandId, index)));
    }
    const sealed = await this.encrypt(drafts);
    // Under "any", the store assigns the revision.
    const first = expected === 'any' ? null : firstRevision(expected);
    const finished: SizedEvent[] = [];
    for (const [index, draft] of drafts.entries()) {
      if (slice.isOver) await slice.next();
      const revision = first === null ? null : first + index;
      const tagOf = this.tags && ((hash: string) => this.tags!.key.tagOf({ hash, revision }));
      finished.push(finishEvent(draft, sealed[index]!, { stream, metadata, tagOf }));
    }
    const bytes = bytesOf(finished);
    if (bytes > MAX_APPEND_BYTES) throw new AppendTooLargeError(bytes);
    return finished;
  }

  /**
   * Decodes events, one for one: upcast to the current version, decrypted, with placeholders where a key was destroyed. One call asks the
   * key store at most twice, however many events it is given. Long work gives the event loop a turn.
   *
   * @throws UnreadableEventError, UntaggedEventError, RecordDecryptionError, KeyUnwrapError, KeyMissingError, KeyStoreUnavailableError
   */
  async decode(events: readonly PersistedEvent[]): Promise<RecordedEvent[]> {
    const slice = new TimeSlice();
    for (const event of events) {
      if (slice.isOver) await slice.next();
      this.assertGenuine([event]);
    }
    const definitions = events.map((event) => this.definitionOf(event));
    const records = events.filter(isEncrypted).map(encryptedRecordOf);
    const opened = records.length === 0 ? [] : await this.vault.decrypt(records);
    const contents = opened.values();
    const decoded: RecordedEvent[] = [];
    for (const [index, event] of events.entries()) {
      if (slice.isOver) await slice.next();
      const definition = definitions[index]!;
      const content = isEncrypted(event) ? (contents.next().value ?? null) : undefined;
      decoded.push(readStored(event, definition, content));
    }
    return decoded;
  }

  /**
   * Decodes events without decrypting: erasable fields are replaced by placeholders, and no key is requested.
   *
   * @throws UnreadableEventError, UntaggedEventError
   */
  decodeWithoutDecrypting(events: readonly PersistedEvent[]): RecordedEvent[] {
    this.assertGenuine(events);
    return events.map((event) => {
      const definition = this.definitionOf(event);
      return isEncrypted(event) ? readClearEvent(event, definition) : readEvent(event, definition);
    });
  }

  /** Checks tags, for callers that use stored events without decoding them. @throws UntaggedEventError */
  assertGenuine(events: readonly PersistedEvent[]): void {
    this.tags?.assertGenuine(events);
  }

  private draft(event: DomainEvent, id: string): EventDraft {
    const definition = this.catalog.find(event.type);
    if (definition === undefined) throw new InvalidEventError(event.type, 'the catalog does not have it');
    return draftEvent(definition, event, id);
  }

  /** One for one: the future `data.sealed`, or null for a draft without erasable fields. */
  private async encrypt(drafts: readonly EventDraft[]): Promise<(string | null)[]> {
    const records = drafts.flatMap(({ record }) => record ?? []);
    const sealed = records.length === 0 ? [] : await this.vault.encrypt(records);
    let next = 0;
    return drafts.map(({ record }) => (record === null ? null : sealed[next++]!.toString('base64')));
  }

  private definitionOf({ id, type, unreadable }: PersistedEvent): AnyEventDefinition {
    if (unreadable !== undefined) throw new UnreadableEventError(id, type, unreadable);
    const definition = this.catalog.find(type);
    if (definition === undefined)
      throw new UnreadableEventError(id, type, 'its type is unknown to this version');
    return definition;
  }
}

/** The bytes of data that these events count for in one append. */
export function bytesOf(events: readonly SizedEvent[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** @param content of its encrypted part; null: the key was destroyed; undefined: it has no encrypted part */
function readStored(
  event: PersistedEvent,
  definition: AnyEventDefinition,
  content: Buffer | null | undefined,
): RecordedEvent {
  if (content === undefined) return readEvent(event, definition);
  return content === null
    ? readErasedEvent(event, definition)
    : readDecryptedEvent(event, definition, content);
}
