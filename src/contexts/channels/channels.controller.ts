import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { Answer, SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { Readers } from '../../reader-threads/readers.js';
import { channelSettings } from './channel-settings.parameters.js';
import {
  channelChanges,
  channelSelection,
  CreateChannelParameters,
  DefaultChannelParameters,
  GetChannelIdParameters,
  GetChannelsParameters,
  UpdateChannelParameters,
} from './channels.parameters.js';
import {
  channelIdReply,
  channelReply,
  channelsReply,
  createdChannelReply,
  membersReply,
} from './channels.replies.js';
import { ArchiveChannel, ChooseDefaultChannel, CreateChannel, UpdateChannel } from './commands/channels.js';
import { GetChannel, GetChannelId, GetChannelMembers, GetChannels } from './queries/channels.js';

/** Channels: listing, creating, changing and archiving them. */
@ApiTags('channels')
@Controller()
export class ChannelsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly readers: Readers,
  ) {}

  /** Lists channels that the caller may know of. */
  @Reply(channelsReply)
  @Get('streams')
  async list(
    @CurrentCaller() caller: Caller,
    @Parameters(GetChannelsParameters) parameters: GetChannelsParameters,
  ): Promise<Answer> {
    const selection = channelSelection(parameters);
    return this.readers.answer(new GetChannels(caller, selection));
  }

  /** Finds a channel's id by its name. */
  @Reply(channelIdReply)
  @Get('get_stream_id')
  async idOf(
    @CurrentCaller() caller: Caller,
    @Parameters(GetChannelIdParameters) { stream }: GetChannelIdParameters,
  ): Promise<SuccessFields> {
    return { stream_id: await this.queries.execute(new GetChannelId(caller, stream)) };
  }

  /** Reads one channel. */
  @Reply(channelReply)
  @Get('streams/:stream_id')
  async get(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('stream_id') channelId: number,
  ): Promise<SuccessFields> {
    return { stream: await this.queries.execute(new GetChannel(caller, channelId)) };
  }

  /** Lists the ids of a channel's subscribers. */
  @Reply(membersReply)
  @Get('streams/:stream_id/members')
  async members(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('stream_id') channelId: number,
  ): Promise<SuccessFields> {
    return { subscribers: await this.queries.execute(new GetChannelMembers(caller, channelId)) };
  }

  /** Creates a channel that must not exist yet. */
  @Reply(createdChannelReply)
  @Post('channels/create')
  async create(
    @CurrentCaller() caller: Caller,
    @Parameters(CreateChannelParameters) parameters: CreateChannelParameters,
  ): Promise<SuccessFields> {
    const { name, description = '', subscribers: subscriberIds, announce = false } = parameters;
    const settings = channelSettings(parameters, parameters.is_default_channel ?? false);
    const request = { name, description, subscriberIds, settings, announce };
    return { id: await this.commands.execute(new CreateChannel(caller, request)) };
  }

  /** Changes the settings of a channel. */
  @Reply()
  @Patch('streams/:stream_id')
  async update(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('stream_id') channelId: number,
    @Parameters(UpdateChannelParameters) parameters: UpdateChannelParameters,
  ): Promise<void> {
    await this.commands.execute(new UpdateChannel(caller, channelId, channelChanges(parameters)));
  }

  /** Archives a channel. */
  @Reply()
  @Delete('streams/:stream_id')
  async archive(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('stream_id') channelId: number,
  ): Promise<void> {
    await this.commands.execute(new ArchiveChannel(caller, channelId));
  }
}

/** The channels that new people are subscribed to. */
@ApiTags('channels')
@Controller('default_streams')
export class DefaultChannelsController {
  constructor(private readonly commands: CommandBus) {}

  /** Makes a channel a default one, to which new people are subscribed. Administrators only. */
  @Reply()
  @Post()
  add(
    @CurrentCaller() caller: Caller,
    @Parameters(DefaultChannelParameters) { stream_id }: DefaultChannelParameters,
  ): Promise<void> {
    return this.commands.execute(new ChooseDefaultChannel(caller, stream_id, true));
  }

  /** Makes a channel no default one any more. Administrators only. */
  @Reply()
  @Delete()
  remove(
    @CurrentCaller() caller: Caller,
    @Parameters(DefaultChannelParameters) { stream_id }: DefaultChannelParameters,
  ): Promise<void> {
    return this.commands.execute(new ChooseDefaultChannel(caller, stream_id, false));
  }
}
