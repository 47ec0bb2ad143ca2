import { budgets } from '../../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { failure } from '../../../../kernel/errors.js';
import type { EventOf } from '../../../../kernel/event.js';
import { PersonalChanges } from '../../personal-changes.js';
import { botStorageFold, longestKey, withEntry, type BotStorage } from '../bot-storage.js';
import type { BotStorageChanged } from '../../../../events/bot-storage.js';

/** Notes values under keys of the caller's (facts, section 5, PUT bot_storage). */
export class ChangeBotStorage extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** Values by their keys. */
    readonly values: ReadonlyMap<string, string>,
  ) {
    super();
  }
}

/** @throws ApplicationError for a key that is too long, and `botStorageFull` */
export function decideChangeBotStorage(
  storage: BotStorage,
  values: ReadonlyMap<string, string>,
  { userId }: { readonly userId: number },
): readonly EventOf<typeof BotStorageChanged>[] {
  const entries = [...values].map(([key, value]) => ({ key, value }));
  if (entries.some(({ key }) => key.length > longestKey)) {
    throw failure('textTooLong', { reason: { name: 'A key', limit: longestKey } });
  }
  const { size, sizes } = entries.reduce(withEntry, storage);
  if (size > budgets.botStorage.max || sizes.size > budgets.botStorageKeys.max)
    throw failure('botStorageFull');
  return entries.length === 0 ? [] : [{ type: 'BotStorageChanged', data: { userId, entries } }];
}

@CommandHandler(ChangeBotStorage)
export class ChangeBotStorageHandler implements ICommandHandler<ChangeBotStorage> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, values }: ChangeBotStorage): Promise<void> {
    await this.personal.apply(caller, {
      fold: botStorageFold,
      decide: (storage) => decideChangeBotStorage(storage, values, caller),
    });
  }
}
