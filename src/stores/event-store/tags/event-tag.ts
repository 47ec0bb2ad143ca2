import type { KeyObject } from 'node:crypto';
import { eventHash } from '../event-hash.js';
import type { PersistedEvent } from '../port.js';
import { Mac } from './mac.js';

/** What the tag of an event covers. */
export interface TaggedEvent {
  /** The event's public hash, which covers its stream, id, type, data and metadata. */
  readonly hash: string;
  /** Its revision; null: it was appended under "any", and the store assigned its revision. */
  readonly revision: number | null;
}

/** The first character of a tag that covers the revision, and of one that does not. */
const AT_REVISION = 'r';
const ANYWHERE = 'a';

/**
 * The key of tags, derived from the server's key. A tag is one character that says whether it covers the revision, and a {@link Mac} of the
 * event's public hash and, if so, its revision.
 */
export class TagKey {
  readonly #mac: Mac;

  constructor(key: KeyObject) {
    this.#mac = new Mac(key);
  }

  /** Identifies this key without revealing it. */
  get id(): string {
    return this.#mac.of('id of the tag key');
  }

  /** The tag of an event to be stored: 23 characters. */
  tagOf({ hash, revision }: TaggedEvent): string {
    return revision === null
      ? `${ANYWHERE}${this.#mac.of(`event ${hash}`)}`
      : `${AT_REVISION}${this.#mac.of(`event ${hash} at ${revision}`)}`;
  }

  /** Whether a stored event is unchanged since it was written with this key: content, stream, and the revision if the tag covers it. */
  isWriterOf(event: PersistedEvent): boolean {
    const { hash, tag } = event.metadata;
    if (typeof hash !== 'string' || typeof tag !== 'string') return false;
    const revision = tag.startsWith(ANYWHERE) ? null : event.revision;
    return tag === this.tagOf({ hash, revision }) && isOfItsHash(event, hash);
  }

  /** Authenticates a text that the server stores beside the log. */
  noteMac(text: string): string {
    return this.#mac.of(`note ${text}`);
  }
}

function isOfItsHash(event: PersistedEvent, hash: string): boolean {
  try {
    return hash === eventHash(event);
  } catch {
    // Data without a canonical form cannot have been hashed.
    return false;
  }
}
