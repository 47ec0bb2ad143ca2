import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../../access/directory-follower.js';
import { Descriptions } from '../../descriptions.js';
import { folderObjects } from '../folder-objects.js';
import type { FolderObject } from '../../channels.replies.js';

/** Lists the channel folders in their order. */
export class GetChannelFolders extends Query<readonly FolderObject[]> {
  constructor(readonly includeArchived: boolean) {
    super();
  }
}

@QueryHandler(GetChannelFolders)
export class GetChannelFoldersHandler implements IQueryHandler<GetChannelFolders> {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly descriptions: Descriptions,
  ) {}

  execute({ includeArchived }: GetChannelFolders): Promise<readonly FolderObject[]> {
    const folders = folderObjects(this.follower.current().channelFolders, (text) =>
      this.descriptions.html(text),
    );
    return Promise.resolve(folders.filter((folder) => includeArchived || !folder.is_archived));
  }
}
