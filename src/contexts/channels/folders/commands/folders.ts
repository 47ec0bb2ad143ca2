import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import {
  decideChangeFolder,
  decideCreateFolder,
  decideReorderFolders,
  type FolderChanges,
  type FolderTexts,
} from '../folders.decide.js';
import { Decisions } from '../../../../http/decisions.js';
import { foldedChannelFolders } from '../../../../access/records/channel-folders.js';

/** Creates a channel folder (`POST /channel_folders/create`). Returns its id. */
export class CreateChannelFolder extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly texts: FolderTexts,
  ) {
    super();
  }
}

@CommandHandler(CreateChannelFolder)
export class CreateChannelFolderHandler implements ICommandHandler<CreateChannelFolder> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, texts }: CreateChannelFolder): Promise<number> {
    const { events } = await this.decisions.decide(caller, foldedChannelFolders, (state, actor) =>
      decideCreateFolder(state, texts, actor),
    );
    const [created] = events;
    if (created?.type !== 'ChannelFolderCreated') throw new Error('A creation always appends');
    return created.data.folderId;
  }
}

/** Changes a channel folder (`PATCH /channel_folders/{channel_folder_id}`). */
export class ChangeChannelFolder extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly changes: FolderChanges,
  ) {
    super();
  }
}

@CommandHandler(ChangeChannelFolder)
export class ChangeChannelFolderHandler implements ICommandHandler<ChangeChannelFolder> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, changes }: ChangeChannelFolder): Promise<void> {
    await this.decisions.decide(caller, foldedChannelFolders, (state, actor) =>
      decideChangeFolder(state, changes, actor),
    );
  }
}

/** Reorders the channel folders (`PATCH /channel_folders`). */
export class ReorderChannelFolders extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly folderIds: readonly number[],
  ) {
    super();
  }
}

@CommandHandler(ReorderChannelFolders)
export class ReorderChannelFoldersHandler implements ICommandHandler<ReorderChannelFolders> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, folderIds }: ReorderChannelFolders): Promise<void> {
    await this.decisions.decide(caller, foldedChannelFolders, (state, actor) =>
      decideReorderFolders(state, folderIds, actor),
    );
  }
}
