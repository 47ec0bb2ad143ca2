import type { ChannelFolderEvent } from '../../channels/folders/events.js';
import { folderObjects } from '../../channels/folders/folder-objects.js';
import { renderMarkdown } from '../../messages/markdown/render.js';
import type { ClientEvent } from '../client-event.js';
import type { Notice, Translations } from '../translation.js';

/** Channel folders are the same for everyone. */
export const channelFolderTranslations: Translations<ChannelFolderEvent> = {
  ChannelFolderCreated: {
    notices: ({ data: { folderId } }, { moment: { directory } }) => {
      const folder = folderObjects(directory.channelFolders, renderedText).find(({ id }) => id === folderId);
      return folder === undefined ? [] : toEveryone('add', { channel_folder: folder });
    },
  },
  ChannelFolderRenamed: { notices: ({ data: { folderId, name } }) => update(folderId, { name }) },
  ChannelFolderDescriptionChanged: {
    notices: ({ data: { folderId, description } }) =>
      update(folderId, { description, rendered_description: renderedText(description) }),
  },
  ChannelFolderArchived: { notices: ({ data: { folderId } }) => update(folderId, { is_archived: true }) },
  ChannelFolderUnarchived: { notices: ({ data: { folderId } }) => update(folderId, { is_archived: false }) },
  ChannelFoldersReordered: {
    notices: ({ data: { folderIds } }) => toEveryone('reorder', { order: folderIds }),
  },
};

/** @param description Markdown; the names in it are shown as they are written */
export function renderedText(description: string): string {
  return description === '' ? '' : renderMarkdown(description, {}).html;
}

function update(folderId: number, data: object): readonly Notice[] {
  return toEveryone('update', { channel_folder_id: folderId, data });
}

function toEveryone(op: string, fields: object): readonly Notice[] {
  const event: ClientEvent = { type: 'channel_folder', op, ...fields };
  return [{ to: 'everyone', event }];
}
