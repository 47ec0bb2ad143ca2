import { LRUCache } from 'lru-cache';
import type { PersistedEvent } from '../../../stores/event-store/port.js';
import {
  noFlags,
  ownerOfFlags,
  rangesIn,
  type PersonalFlags,
  type PersonalFlagsDocument,
} from './flags.state.js';

/** Bound on the cached flags of all people: ranges of ids, some 50 bytes each. */
const MAX_RANGES = 400_000;

/**
 * In milliseconds. Cached flags are dropped when an event changes them; the time only bounds what a read model
 * that was behind when the process started may have left in the cache.
 */
const MAX_AGE = 60_000;

interface CachedFlags {
  /** Null: the person never marked a message. */
  readonly flags: PersonalFlags | null;
  /** Revision of the person's stream that is included; -1: there is none. */
  readonly revision: number;
}

/** Reads the flags of people; those who never marked a message are left out. */
export type ReadFlags = (userIds: readonly number[]) => Promise<ReadonlyMap<number, PersonalFlagsDocument>>;

/** The flags of people, which are read again only after they changed: one document may take megabytes. */
export class FlagsCache {
  private readonly cached = new LRUCache<number, CachedFlags>({
    maxSize: MAX_RANGES,
    sizeCalculation: ({ flags }) => 1 + rangesIn(flags ?? noFlags),
  });
  /** By person, the last revision of their stream that this process knows of. */
  private readonly latest = new Map<number, number>();

  constructor(private readonly read: ReadFlags) {}

  /** To be called with all events of the log, before what follows from them is read. */
  appended(events: readonly Pick<PersistedEvent, 'stream' | 'revision'>[]): void {
    for (const { stream, revision } of events) {
      const userId = ownerOfFlags(stream);
      if (userId !== null) this.latest.set(userId, Math.max(revision, this.latest.get(userId) ?? -1));
    }
  }

  /** The flags of each of these people; those who never marked a message are left out. */
  async of(userIds: readonly number[]): Promise<ReadonlyMap<number, PersonalFlags>> {
    const found = new Map<number, PersonalFlags>();
    const missing: number[] = [];
    for (const id of userIds) {
      const known = this.cached.get(id);
      if (known === undefined || known.revision < (this.latest.get(id) ?? -1)) missing.push(id);
      else if (known.flags !== null) found.set(id, known.flags);
    }
    const read = missing.length === 0 ? new Map<number, PersonalFlagsDocument>() : await this.read(missing);
    for (const id of missing) {
      const flags = read.get(id) ?? null;
      // What was read together is not to expire together.
      const ttl = MAX_AGE * (0.5 + Math.random() / 2);
      this.cached.set(id, { flags, revision: flags?.revision ?? -1 }, { ttl });
      if (flags !== null) found.set(id, flags);
    }
    return found;
  }
}
