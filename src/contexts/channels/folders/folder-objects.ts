import { toSeconds } from '../../../kernel/clock.js';
import type { ChannelFolder, ChannelFolders } from '../../../access/records/channel-folders.js';

/** A channel folder as the API gives it. */
export interface FolderObject {
  readonly id: number;
  readonly name: string;
  /** Markdown, and its HTML. */
  readonly description: string;
  readonly rendered_description: string;
  readonly creator_id: number | null;
  /** Seconds since the UNIX epoch. */
  readonly date_created: number;
  readonly is_archived: boolean;
  /** Its place among all folders, from 0. */
  readonly order: number;
}

/**
 * Every folder in its order.
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
