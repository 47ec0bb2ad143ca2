import { Controller, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import { ApiTags } from '../../../http/documentation.decorators.js';
import type { SuccessFields } from '../../../http/envelope.js';
import {
  BooleanParameter,
  JsonParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../../http/parameters/path-parameters.js';
import { Reply } from '../../../http/replies/reply.decorator.js';
import { createdFolderReply, foldersReply } from '../channels.replies.js';
import { ChangeChannelFolder, CreateChannelFolder, ReorderChannelFolders } from './commands/folders.js';
import { GetChannelFolders } from './queries/channel-folders.js';
import { budgets } from '../../../kernel/budgets.js';
import { limits } from '../../../events/values/organization-defaults.js';

/** Parameters of GET /channel_folders. */
class GetChannelFoldersParameters {
  @BooleanParameter({ description: 'Whether to include archived folders. Default false.' })
  include_archived?: boolean;
}

/** Parameters of POST /channel_folders/create. */
class CreateChannelFolderParameters {
  @TextParameter({
    maxLength: limits.channelFolderName,
    example: 'Workshops',
    required: true,
    description: 'The name: 1 to 60 code points, different from all other folders.',
  })
  name!: string;

  @TextParameter({
    maxLength: limits.channelDescription,
    description: 'The description: Markdown, at most 1024 code points.',
  })
  description?: string;
}

/** Parameters of PATCH /channel_folders/{channel_folder_id}. */
class ChangeChannelFolderParameters {
  @TextParameter({
    maxLength: limits.channelFolderName,
    description: 'The new name: 1 to 60 code points, different from all other folders.',
  })
  name?: string;

  @TextParameter({
    maxLength: limits.channelDescription,
    description: 'The new description: Markdown, at most 1024 code points.',
  })
  description?: string;

  @BooleanParameter({
    description: 'Whether the folder is archived. A folder can be archived only if it has no channels.',
  })
  is_archived?: boolean;
}

/** Parameters of PATCH /channel_folders. */
class ReorderChannelFoldersParameters {
  @JsonParameter({
    example: [1],
    required: true,
    schema: z.array(z.int()).max(budgets.listOfRequest.max),
    description: 'The ids of all folders, including archived ones, in their new order.',
  })
  order!: number[];
}

/** Folders of channels, the same for everyone. */
@ApiTags('channels')
@Controller('channel_folders')
export class ChannelFoldersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the channel folders. */
  @Reply(foldersReply)
  @Get()
  async list(
    @Parameters(GetChannelFoldersParameters) { include_archived = false }: GetChannelFoldersParameters,
  ): Promise<SuccessFields> {
    return { channel_folders: await this.queries.execute(new GetChannelFolders(include_archived)) };
  }

  /** Creates a channel folder. Administrators only. */
  @Reply(createdFolderReply)
  @Post('create')
  async create(
    @CurrentCaller() caller: Caller,
    @Parameters(CreateChannelFolderParameters) { name, description = '' }: CreateChannelFolderParameters,
  ): Promise<SuccessFields> {
    const command = new CreateChannelFolder(caller, { name, description });
    return { channel_folder_id: await this.commands.execute(command) };
  }

  /** Reorders the channel folders. Administrators only. */
  @Reply()
  @Patch()
  async reorder(
    @CurrentCaller() caller: Caller,
    @Parameters(ReorderChannelFoldersParameters) { order }: ReorderChannelFoldersParameters,
  ): Promise<void> {
    await this.commands.execute(new ReorderChannelFolders(caller, order));
  }

  /** Changes a channel folder. Administrators only. */
  @Reply()
  @Patch(':channel_folder_id')
  async change(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('channel_folder_id') folderId: number,
    @Parameters(ChangeChannelFolderParameters) parameters: ChangeChannelFolderParameters,
  ): Promise<void> {
    const { name, description, is_archived: isArchived } = parameters;
    await this.commands.execute(new ChangeChannelFolder(caller, { folderId, name, description, isArchived }));
  }
}
