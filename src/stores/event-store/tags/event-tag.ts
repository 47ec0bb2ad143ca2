import type { KeyObject } from 'node:crypto';
import { eventHash } from '../event-hash.js';
import type { PersistedEvent } from '../port.js';
import { Mac } from './mac.js';

/** What the tag of an event speaks for. */
export interface TaggedEvent {
  /** The event's public hash, which speaks for its stream, id, type, data and metadata. */
  readonly hash: string;
  /** Its revision; null: it was appended under "any", and the store gave it its revision. */
  readonly revision: number | null;
}

/** Stands before a tag that speaks for the revision, and before one that does not. */
const AT_REVISION = 'r';
const ANYWHERE = 'a';

/**
 * The key that tags are made under: nobody without the server's key can make one. A tag is one character that says whether it
 * speaks for the revision, and a {@link Mac} of the event's public hash and, if so, its revision.
 */
export class TagKey {
  readonly #mac: Mac;

  constructor(key: KeyObject) {
    this.#mac = new Mac(key);
  }

  /** What tells this key from others, and gives nothing of it away. */
  get id(): string {
    return this.#mac.of('id of the tag key');
  }

  /** The tag of an event that is about to be stored: 23 characters. */
  tagOf({ hash, revision }: TaggedEvent): string {
    return revision === null
      ? `${ANYWHERE}${this.#mac.of(`event ${hash}`)}`
      : `${AT_REVISION}${this.#mac.of(`event ${hash} at ${revision}`)}`;
  }

  /** Whether a stored event is as its writer, who had this key, made it: content, stream, and revision as far as the tag says. */
  isWriterOf(event: PersistedEvent): boolean {
    const { hash, tag } = event.metadata;
    if (typeof hash !== 'string' || typeof tag !== 'string') return false;
    const revision = tag.startsWith(ANYWHERE) ? null : event.revision;
    return tag === this.tagOf({ hash, revision }) && isOfItsHash(event, hash);
  }

  /** Authenticates what the server keeps beside the log. */
  noteMac(text: string): string {
    return this.#mac.of(`note ${text}`);
  }
}

function isOfItsHash(event: PersistedEvent, hash: string): boolean {
  try {
    return hash === eventHash(event);
  } catch {
    // What has no canonical form is not what was written.
    return false;
  }
}
