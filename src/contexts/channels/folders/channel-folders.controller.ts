import { Controller, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../../http/documentation.decorators.js';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import type { SuccessFields } from '../../../http/envelope.js';
import { Parameters } from '../../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../../http/parameters/path-parameters.js';
import { ChangeChannelFolder, CreateChannelFolder, ReorderChannelFolders } from './commands/folders.js';
import {
  ChangeChannelFolderParameters,
  CreateChannelFolderParameters,
  GetChannelFoldersParameters,
  ReorderChannelFoldersParameters,
} from './channel-folders.parameters.js';
import { GetChannelFolders } from './queries/get-channel-folders.js';
import { Reply } from '../../../http/replies/reply.decorator.js';
import { createdFolderReply, foldersReply } from '../channels.replies.js';

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
