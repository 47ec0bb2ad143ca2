import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../http/documentation.decorators.js';
import { botTypes } from '../directory/people-permissions.js';
import { CurrentCaller } from '../http/authentication/current-caller.decorator.js';
import type { Caller } from '../http/caller.js';
import type { SuccessFields } from '../http/envelope.js';
import { Parameters } from '../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../http/parameters/path-parameters.js';
import { CreateBot } from './commands/create-bot.js';
import { DeactivateBot } from './commands/deactivate-bot.js';
import { RegenerateApiKey } from './commands/regenerate-api-key.js';
import { UpdateBot } from './commands/update-bot.js';
import { botDefaultsRequest, CreateBotParameters, UpdateBotParameters } from './dto/bot.parameters.js';
import { GetBot } from './queries/get-bot.js';
import { GetBotKey } from './queries/get-bot-key.js';
import { GetBots } from './queries/get-bots.js';

/** Bots: programs with an account, each of which belongs to a person. */
@ApiTags('bots')
@Controller('bots')
export class BotsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Makes a bot. */
  @Post()
  async create(
    @CurrentCaller() caller: Caller,
    @Parameters(CreateBotParameters) parameters: CreateBotParameters,
  ): Promise<SuccessFields> {
    const { full_name: fullName, short_name: shortName, bot_type: type = botTypes.generic } = parameters;
    const { userId, apiKey } = await this.commands.execute(
      new CreateBot(caller, { shortName, fullName, type, defaults: botDefaultsRequest(parameters) }),
    );
    const { full_name: _name, ...fields } = await this.queries.execute(new GetBot(userId));
    return { user_id: userId, api_key: apiKey, ...fields };
  }

  /** Lists the caller's bots. */
  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { bots: await this.queries.execute(new GetBots(caller)) };
  }

  /** Changes a bot. */
  @Patch(':bot_id')
  async update(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('bot_id') userId: number,
    @Parameters(UpdateBotParameters) parameters: UpdateBotParameters,
  ): Promise<SuccessFields> {
    const { full_name: fullName = null, bot_owner_id: ownerId = null, role = null } = parameters;
    const changes = { userId, fullName, ownerId, role, defaults: botDefaultsRequest(parameters) };
    await this.commands.execute(new UpdateBot(caller, changes));
    return { ...(await this.queries.execute(new GetBot(userId))) };
  }

  /** Deactivates a bot. */
  @Delete(':bot_id')
  async deactivate(@CurrentCaller() caller: Caller, @PathIdentifier('bot_id') botId: number): Promise<void> {
    await this.commands.execute(new DeactivateBot(caller, botId));
  }

  /** Reads a bot's key again. */
  @Get(':bot_id/api_key')
  async key(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('bot_id') botId: number,
  ): Promise<SuccessFields> {
    return { api_key: await this.queries.execute(new GetBotKey(caller, botId)) };
  }

  /** Revokes every key of a bot and issues one in their place. */
  @Post(':bot_id/api_key/regenerate')
  async regenerateKey(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('bot_id') botId: number,
  ): Promise<SuccessFields> {
    return { api_key: await this.commands.execute(new RegenerateApiKey(caller, botId)) };
  }
}
