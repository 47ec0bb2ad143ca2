import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '../../http/documentation.decorators.js';
import { botTypes } from '../../access/people-permissions.js';
import { storeImage, type StoredImage } from '../../stores/file-store/image.js';
import { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { ParametersWithImage, type WithImage } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import type { ReceivedImage } from '../../http/server/received-image.js';
import { CreateBot, DeactivateBot, UpdateBot } from './commands/bots.js';
import { RegenerateApiKey } from './commands/api-keys.js';
import { botDefaultsRequest, CreateBotParameters, UpdateBotParameters } from './bots.parameters.js';
import { GetBot, GetBotKey, GetBots } from './queries/bots.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { botsReply, changedBotReply, createdBotReply, keyReply } from './users.replies.js';

/** A change of a bot that changes nothing. */
const nothing = {
  fullName: null,
  shortName: null,
  ownerId: null,
  role: null,
  defaults: { sendingChannel: null, registeringChannel: null, allPublicChannels: null },
} as const;

/** Bots: accounts for programs, each of which belongs to a person. */
@ApiTags('bots')
@Controller('bots')
export class BotsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly files: EncryptedFiles,
  ) {}

  /** Creates a bot. A file in the form becomes its picture. */
  @RouteConfig({ acceptsFiles: true })
  @Reply(createdBotReply)
  @Post()
  async create(
    @CurrentCaller() caller: Caller,
    @ParametersWithImage(CreateBotParameters) { parameters, image }: WithImage<CreateBotParameters>,
  ): Promise<SuccessFields> {
    const { full_name: fullName, short_name: shortName, bot_type: type = botTypes.generic } = parameters;
    const { payload_url: baseUrl = null, interface_type: kind = null } = parameters;
    const service = { baseUrl, interface: kind };
    const { userId, apiKey } = await this.commands.execute(
      new CreateBot(caller, { shortName, fullName, type, defaults: botDefaultsRequest(parameters), service }),
    );
    if (image !== null) await this.change(caller, { ...nothing, userId }, image);
    const {
      full_name: _name,
      bot_owner: _owner,
      ...fields
    } = await this.queries.execute(new GetBot(caller, userId));
    return { user_id: userId, api_key: apiKey, ...fields };
  }

  /** Lists the caller's bots. */
  @Reply(botsReply)
  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { bots: await this.queries.execute(new GetBots(caller)) };
  }

  /**
   * Changes a bot. A file in the form becomes its picture. Only administrators change a bot's role or owner,
   * and only if its role is not above their own; with a new owner it gets a new key.
   */
  @RouteConfig({ acceptsFiles: true })
  @Reply(changedBotReply)
  @Patch(':bot_id')
  async update(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('bot_id') userId: number,
    @ParametersWithImage(UpdateBotParameters) { parameters, image }: WithImage<UpdateBotParameters>,
  ): Promise<SuccessFields> {
    const { full_name: fullName = null, bot_owner_id: ownerId = null, role = null } = parameters;
    const { short_name: shortName = null } = parameters;
    const defaults = botDefaultsRequest(parameters);
    const { service_payload_url: baseUrl = null, service_interface: kind = null } = parameters;
    const service = { baseUrl, interface: kind };
    await this.change(caller, { userId, fullName, shortName, ownerId, role, defaults, service }, image);
    return { ...(await this.queries.execute(new GetBot(caller, userId))) };
  }

  private async change(
    caller: Caller,
    changes: Omit<UpdateBot['changes'], 'image'>,
    image: ReceivedImage | null,
  ): Promise<void> {
    const change = (stored: StoredImage | null): Promise<void> =>
      this.commands.execute(new UpdateBot(caller, { ...changes, image: stored }));
    if (image === null) await change(null);
    else await storeImage(this.files, { ...image, kind: 'avatar', ownerId: changes.userId }, change);
  }

  /** Deactivates a bot. */
  @Reply()
  @Delete(':bot_id')
  async deactivate(@CurrentCaller() caller: Caller, @PathIdentifier('bot_id') botId: number): Promise<void> {
    await this.commands.execute(new DeactivateBot(caller, botId));
  }

  /** Reads a bot's key. */
  @Reply(keyReply)
  @Get(':bot_id/api_key')
  async key(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('bot_id') botId: number,
  ): Promise<SuccessFields> {
    return { api_key: await this.queries.execute(new GetBotKey(caller, botId)) };
  }

  /** Revokes all keys of a bot and issues a new one. */
  @Reply(keyReply)
  @Post(':bot_id/api_key/regenerate')
  async regenerateKey(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('bot_id') botId: number,
  ): Promise<SuccessFields> {
    return { api_key: await this.commands.execute(new RegenerateApiKey(caller, botId)) };
  }
}
