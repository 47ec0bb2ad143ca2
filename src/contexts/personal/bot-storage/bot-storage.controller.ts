import { Controller, Delete, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import { ApiTags } from '../../../http/documentation.decorators.js';
import type { SuccessFields } from '../../../http/envelope.js';
import { JsonParameter } from '../../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../../http/parameters/parameters.decorator.js';
import { Reply } from '../../../http/replies/reply.decorator.js';
import { budgets } from '../../../kernel/budgets.js';
import { botStorageReply } from '../personal.replies.js';
import { ChangeBotStorage, ClearBotStorage } from './commands/bot-storage.js';
import { GetBotStorage } from './queries/get-bot-storage.js';

const values = z.record(z.string(), z.string());

/** Parameters of PUT /bot_storage. */
class ChangeBotStorageParameters {
  @JsonParameter({
    example: { greeting: 'Hello' },
    required: true,
    schema: values,
    maxProperties: budgets.botStorageKeys.max,
    description: 'The values to store, by their keys: `{"key": "text"}`.',
  })
  storage!: z.infer<typeof values>;
}

/** Parameters of GET and DELETE /bot_storage. */
class BotStorageKeysParameters {
  @JsonParameter({
    example: ['greeting'],
    schema: z.array(z.string()).max(budgets.botStorageKeys.max),
    description: 'The keys. Absent or empty: all keys.',
  })
  keys?: string[];
}

/** The requested keys; null: all. */
function requestedKeys({ keys = [] }: BotStorageKeysParameters): readonly string[] | null {
  return keys.length === 0 ? null : keys;
}

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
