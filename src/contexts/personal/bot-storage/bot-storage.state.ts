import { streamsOf } from '../../../kernel/decision.js';
import { personalStream } from '../../../events/personal.js';
import type { Fold } from '../../../kernel/fold.js';
import { failure } from '../../../kernel/errors.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { PersistentMap } from '../../../kernel/persistent-map.js';
import type { BotStorageEvent } from '../../../events/bot-storage.js';

/** The keys that a bot has stored; the values are only in the log and in the read model. */
export interface BotStorage {
  /** The length of each value with its key, in UTF-16 code units. */
  readonly sizes: PersistentMap<string, number>;
  /** The sum of all sizes. */
  readonly size: number;
}

/** Maximum length of a key, in code units. */
export const MAX_KEY_LENGTH = 1_000;

/** Folds a bot's storage out of its stream, whose other events are ignored. */
export const botStorageFold: Fold<BotStorage, RecordedEvent<BotStorageEvent>> = {
  snapshot: { name: 'bot-storage', version: 1 },
  initial: { sizes: PersistentMap.empty(), size: 0 },
  evolve(storage, event) {
    switch (event.type) {
      case 'BotStorageChanged':
        return event.data.entries.reduce(withEntry, storage);
      case 'BotStorageCleared':
        return event.data.keys.reduce(withoutKey, storage);
      default:
        return storage;
    }
  },
};

/** A bot's storage, for decisions about it. */
export const botStorageOf = streamsOf(personalStream, botStorageFold);

interface Entry {
  readonly key: string;
  readonly value: string;
}

/** The storage after a value is stored. */
export function withEntry({ sizes, size }: BotStorage, { key, value }: Entry): BotStorage {
  const added = key.length + value.length;
  return { sizes: sizes.set(key, added), size: size - (sizes.get(key) ?? 0) + added };
}

function withoutKey({ sizes, size }: BotStorage, key: string): BotStorage {
  return { sizes: sizes.delete(key), size: size - (sizes.get(key) ?? 0) };
}

/** @throws ApplicationError `noSuchStorageKey` unless the bot has a value under each key */
export function assertNoted({ sizes }: BotStorage, keys: readonly string[]): void {
  if (!keys.every((key) => sizes.has(key))) throw failure('noSuchStorageKey');
}
