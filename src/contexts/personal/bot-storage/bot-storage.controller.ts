import { Controller, Delete, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../../http/documentation.decorators.js';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import type { SuccessFields } from '../../../http/envelope.js';
import { Parameters } from '../../../http/parameters/parameters.decorator.js';
import { ChangeBotStorage, ClearBotStorage } from './commands/bot-storage.js';
import {
  requestedKeys,
  BotStorageKeysParameters,
  ChangeBotStorageParameters,
} from './bot-storage.parameters.js';
import { GetBotStorage } from './queries/get-bot-storage.js';
import { Reply } from '../../../http/replies/reply.decorator.js';
import { botStorageReply } from '../personal.replies.js';

/** Key-value storage of bots. */
@ApiTags('bots')
@Controller('bot_storage')
export class BotStorageController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Returns the stored values of the calling bot. */
  @Reply(botStorageReply)
  @Get()
  async get(
    @CurrentCaller() caller: Caller,
    @Parameters(BotStorageKeysParameters) parameters: BotStorageKeysParameters,
  ): Promise<SuccessFields> {
    return { storage: await this.queries.execute(new GetBotStorage(caller, requestedKeys(parameters))) };
  }

  /** Stores values under keys, replacing previous ones. */
  @Reply()
  @Put()
  async change(
    @CurrentCaller() caller: Caller,
    @Parameters(ChangeBotStorageParameters) { storage }: ChangeBotStorageParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeBotStorage(caller, new Map(Object.entries(storage))));
  }

  /** Removes stored values of the calling bot. */
  @Reply()
  @Delete()
  async clear(
    @CurrentCaller() caller: Caller,
    @Parameters(BotStorageKeysParameters) parameters: BotStorageKeysParameters,
  ): Promise<void> {
    await this.commands.execute(new ClearBotStorage(caller, requestedKeys(parameters)));
  }
}
