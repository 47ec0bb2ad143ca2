import { Controller, Delete, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsIn } from 'class-validator';
import { z } from 'zod';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import { JsonParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { ChangeChannelGroup, CreateChannelGroup } from './commands/channel-groups.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { limits } from '../../events/values/organization-defaults.js';

const names = z.array(z.string()).max(budgets.channelsOfRequest.max);

/** Parameters of POST /default_stream_groups/create. */
class CreateChannelGroupParameters {
  @TextParameter({
    maxLength: limits.channelName,
    example: 'Weavers',
    required: true,
    description: 'The name: 1 to 60 characters, different from all other groups.',
  })
  group_name!: string;

  @TextParameter({
    maxLength: limits.channelDescription,
    example: 'Who weaves',
    required: true,
    description: 'The description: at most 1,024 characters.',
  })
  description!: string;

  @JsonParameter({
    schema: names,
    example: ['engines'],
    required: true,
    description: 'Names of public channels.',
  })
  stream_names!: string[];
}

/** Parameters of PATCH /default_stream_groups/{group_id}: one of them is needed. */
class ChangeChannelGroupParameters {
  @TextParameter({
    maxLength: limits.channelName,
    description: 'The new name: 1 to 60 characters, different from all other groups.',
  })
  new_group_name?: string;

  @TextParameter({
    maxLength: limits.channelDescription,
    description: 'The new description: at most 1,024 characters.',
  })
  new_description?: string;
}

const operations = ['add', 'remove'] as const;

/** Parameters of PATCH /default_stream_groups/{group_id}/streams. */
class ChangeGroupedChannelsParameters {
  @TextParameter({
    required: true,
    values: operations,
    example: 'add',
    description: 'Whether to add the channels to the group or to remove them from it.',
  })
  @IsIn(operations)
  op!: (typeof operations)[number];

  @JsonParameter({
    example: ['engines'],
    schema: names,
    required: true,
    description: 'Names of public channels.',
  })
  stream_names!: string[];
}

/** Groups of channels that new people may choose. */
@ApiTags('channels')
@Controller('default_stream_groups')
export class ChannelGroupsController {
  constructor(private readonly commands: CommandBus) {}

  /** Creates a group of channels that new people may choose. Administrators only. */
  @Reply()
  @Post('create')
  async create(
    @CurrentCaller() caller: Caller,
    @Parameters(CreateChannelGroupParameters) parameters: CreateChannelGroupParameters,
  ): Promise<void> {
    const { group_name: name, description, stream_names: add } = parameters;
    await this.commands.execute(new CreateChannelGroup(caller, { name, description, add }));
  }

  /** Changes the name or description of such a group. Administrators only. */
  @Reply()
  @Patch(':group_id')
  async change(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('group_id') groupId: number,
    @Parameters(ChangeChannelGroupParameters) parameters: ChangeChannelGroupParameters,
  ): Promise<void> {
    const { new_group_name: name, new_description: description } = parameters;
    if (name === undefined && description === undefined) throw failure('noNewData');
    await this.commands.execute(new ChangeChannelGroup(caller, groupId, { name, description }));
  }

  /** Adds channels to such a group, or removes some. Administrators only. */
  @Reply()
  @Patch(':group_id/streams')
  async changeChannels(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('group_id') groupId: number,
    @Parameters(ChangeGroupedChannelsParameters) parameters: ChangeGroupedChannelsParameters,
  ): Promise<void> {
    const { op, stream_names: channels } = parameters;
    await this.commands.execute(new ChangeChannelGroup(caller, groupId, { [op]: channels }));
  }

  /** Removes such a group; the channels stay. Administrators only. */
  @Reply()
  @Delete(':group_id')
  async remove(@CurrentCaller() caller: Caller, @PathIdentifier('group_id') groupId: number): Promise<void> {
    await this.commands.execute(new ChangeChannelGroup(caller, groupId, null));
  }
}
