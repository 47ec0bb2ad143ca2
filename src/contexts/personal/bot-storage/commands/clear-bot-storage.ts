import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import type { EventOf } from '../../../../kernel/event.js';
import { PersonalChanges } from '../../personal-changes.js';
import { assertNoted, botStorageFold, type BotStorage } from '../bot-storage.js';
import type { BotStorageCleared } from '../../../../events/bot-storage.js';

/** Removes what the caller noted under some keys, or all of it (DELETE bot_storage). */
export class ClearBotStorage extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** Null: all. */
    readonly keys: readonly string[] | null,
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchStorageKey` */
export function decideClearBotStorage(
  storage: BotStorage,
  asked: readonly string[] | null,
  { userId }: { readonly userId: number },
): readonly EventOf<typeof BotStorageCleared>[] {
  const noted = [...storage.sizes.entries()].map(([key]) => key).sort();
  const keys = [...new Set(asked ?? noted)];
  assertNoted(storage, keys);
  return keys.length === 0 ? [] : [{ type: 'BotStorageCleared', data: { userId, keys } }];
}

@CommandHandler(ClearBotStorage)
export class ClearBotStorageHandler implements ICommandHandler<ClearBotStorage> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, keys }: ClearBotStorage): Promise<void> {
    await this.personal.apply(caller, {
      fold: botStorageFold,
      decide: (storage) => decideClearBotStorage(storage, keys, caller),
    });
  }
}
