import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../../access/directory-follower.js';
import type { ChannelFolder, ChannelFolders } from '../../../../access/records/channel-folders.js';
import { toSeconds } from '../../../../kernel/clock.js';
import { Descriptions } from '../../channel-listing.js';
import type { FolderObject } from '../../channels.replies.js';

/**
 * All folders in their order, formatted for the API.
 *
 * @param html renders a description
 */
export function folderObjects(
  { folders }: ChannelFolders,
  html: (description: string) => string,
): readonly FolderObject[] {
  return folders.map((folder, order) => ({ ...fieldsOf(folder, html), order }));
}

function fieldsOf(folder: ChannelFolder, html: (description: string) => string): Omit<FolderObject, 'order'> {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: html(folder.description),
    creator_id: folder.creatorId,
    date_created: toSeconds(folder.createdAt),
    is_archived: folder.isArchived,
  };
}

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
