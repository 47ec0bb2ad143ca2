import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { Decisions } from '../../../../http/decisions.js';
import { botStorageOf } from '../bot-storage.state.js';
import { decideChangeBotStorage, decideClearBotStorage } from '../bot-storage.decide.js';

/** Stores values under keys of the calling bot (`PUT /bot_storage`). */
export class ChangeBotStorage extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** Values by their keys. */
    readonly values: ReadonlyMap<string, string>,
  ) {
    super();
  }
}

@CommandHandler(ChangeBotStorage)
export class ChangeBotStorageHandler implements ICommandHandler<ChangeBotStorage> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, values }: ChangeBotStorage): Promise<void> {
    await this.decisions.decide(caller, botStorageOf(caller.userId), (storage, { user }) =>
      decideChangeBotStorage(storage, values, user),
    );
  }
}

/** Removes values of the calling bot under some keys, or all of them (`DELETE /bot_storage`). */
export class ClearBotStorage extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** Null: all. */
    readonly keys: readonly string[] | null,
  ) {
    super();
  }
}

@CommandHandler(ClearBotStorage)
export class ClearBotStorageHandler implements ICommandHandler<ClearBotStorage> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, keys }: ClearBotStorage): Promise<void> {
    await this.decisions.decide(caller, botStorageOf(caller.userId), (storage, { user }) =>
      decideClearBotStorage(storage, keys, user),
    );
  }
}
