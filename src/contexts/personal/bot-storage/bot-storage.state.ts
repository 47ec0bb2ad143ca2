import { streamsOf } from '../../../kernel/stream.js';
import { personalStream } from '../../../events/personal-stream.js';
import type { Fold } from '../../../kernel/decider.js';
import { failure } from '../../../kernel/errors.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { PersistentMap } from '../../../kernel/persistent-map.js';
import type { BotStorageEvent } from '../../../events/bot-storage.js';

/** What a bot has noted; what the values say is only in the log and in the read model. */
export interface BotStorage {
  /** How long each value is, with its key: in UTF-16 code units. */
  readonly sizes: PersistentMap<string, number>;
  /** All of them together. */
  readonly size: number;
}

/** Code units of one key. */
export const maxKeyLength = 1_000;

/** How much a bot has noted, by its person's stream, whose other events change nothing here. */
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

/** The storage once something is noted. */
export function withEntry({ sizes, size }: BotStorage, { key, value }: Entry): BotStorage {
  const added = key.length + value.length;
  return { sizes: sizes.set(key, added), size: size - (sizes.get(key) ?? 0) + added };
}

function withoutKey({ sizes, size }: BotStorage, key: string): BotStorage {
  return { sizes: sizes.delete(key), size: size - (sizes.get(key) ?? 0) };
}

/** @throws ApplicationError `noSuchStorageKey` unless the bot noted something under each key */
export function assertNoted({ sizes }: BotStorage, keys: readonly string[]): void {
  if (!keys.every((key) => sizes.has(key))) throw failure('noSuchStorageKey');
}
