import { toSeconds } from '../../../kernel/clock.js';
import type { ChannelFolder, ChannelFolders } from '../../../access/records/channel-folders.js';
import type { FolderObject } from '../channels.replies.js';

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
