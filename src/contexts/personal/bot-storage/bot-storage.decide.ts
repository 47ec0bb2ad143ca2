import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { MAX_KEY_LENGTH, withEntry, type BotStorage, assertNoted } from './bot-storage.state.js';
import type { User } from '../../../access/records/user.js';
import type { BotStorageChanged, BotStorageCleared } from '../../../events/bot-storage.js';

/** @throws ApplicationError `botRequired` */
export function assertBot({ bot }: Pick<User, 'bot'>): void {
  if (bot === null) throw failure('botRequired');
}

/** @throws ApplicationError `botRequired`, `botStorageFull`, and for a key that is too long */
export function decideChangeBotStorage(
  storage: BotStorage,
  values: ReadonlyMap<string, string>,
  user: Pick<User, 'id' | 'bot'>,
): readonly EventOf<typeof BotStorageChanged>[] {
  assertBot(user);
  const entries = [...values].map(([key, value]) => ({ key, value }));
  if (entries.some(({ key }) => key.length > MAX_KEY_LENGTH)) {
    throw failure('textTooLong', { reason: { name: 'A key', limit: MAX_KEY_LENGTH } });
  }
  const { size, sizes } = entries.reduce(withEntry, storage);
  if (size > budgets.botStorage.max || sizes.size > budgets.botStorageKeys.max)
    throw failure('botStorageFull');
  return entries.length === 0 ? [] : [{ type: 'BotStorageChanged', data: { userId: user.id, entries } }];
}

/** @throws ApplicationError `botRequired`, `noSuchStorageKey` */
export function decideClearBotStorage(
  storage: BotStorage,
  requested: readonly string[] | null,
  user: Pick<User, 'id' | 'bot'>,
): readonly EventOf<typeof BotStorageCleared>[] {
  assertBot(user);
  const noted = [...storage.sizes.entries()].map(([key]) => key).sort();
  const keys = [...new Set(requested ?? noted)];
  assertNoted(storage, keys);
  return keys.length === 0 ? [] : [{ type: 'BotStorageCleared', data: { userId: user.id, keys } }];
}
