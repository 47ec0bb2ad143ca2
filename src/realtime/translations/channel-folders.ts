import type { ChannelFolderEvent } from '../../channels/folders/events.js';
import { folderObjects } from '../../channels/folders/folder-objects.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { renderMarkdown } from '../../messages/markdown/render.js';
import type { ClientEvent } from '../client-event.js';
import type { Notice, Scene, Translations } from '../translation.js';

/** Channel folders are the same for everyone. */
export const channelFolderTranslations: Translations<ChannelFolderEvent> = {
  ChannelFolderCreated: {
    notices: ({ data: { folderId } }, { moment: { directory } }) => {
      const folder = folderObjects(directory.channelFolders, renderedText).find(({ id }) => id === folderId);
      return folder === undefined ? [] : toEveryone('add', { channel_folder: folder });
    },
  },
  ChannelFolderRenamed: { notices: updateNotices },
  ChannelFolderDescriptionChanged: { notices: updateNotices },
  ChannelFolderArchived: { notices: updateNotices },
  ChannelFolderUnarchived: { notices: updateNotices },
  ChannelFoldersReordered: {
    notices: ({ data: { folderIds } }) => toEveryone('reorder', { order: folderIds }),
  },
};

/** @param description Markdown; the names in it are shown as they are written */
export function renderedText(description: string): string {
  return description === '' ? '' : renderMarkdown(description, {}).html;
}

type FolderUpdate = RecordedEvent<
  Extract<
    ChannelFolderEvent,
    {
      readonly type:
        | 'ChannelFolderRenamed'
        | 'ChannelFolderDescriptionChanged'
        | 'ChannelFolderArchived'
        | 'ChannelFolderUnarchived';
    }
  >
>;

/** What was changed of a folder together is told together, in place of the first of it. */
function updateNotices(event: FolderUpdate, { appended }: Scene): readonly Notice[] {
  // An append to the folders changes one of them, adds one or puts all of them in order.
  const updates = appended as unknown as readonly FolderUpdate[];
  if (updates[0]?.id !== event.id) return [];
  const data = updates.reduce((all, update) => ({ ...all, ...changedFields(update) }), {});
  return toEveryone('update', { channel_folder_id: event.data.folderId, data });
}

function changedFields(update: FolderUpdate): object {
  switch (update.type) {
    case 'ChannelFolderRenamed':
      return { name: update.data.name };
    case 'ChannelFolderDescriptionChanged': {
      const { description } = update.data;
      return { description, rendered_description: renderedText(description) };
    }
    case 'ChannelFolderArchived':
      return { is_archived: true };
    case 'ChannelFolderUnarchived':
      return { is_archived: false };
  }
}

function toEveryone(op: string, fields: object): readonly Notice[] {
  const event: ClientEvent = { type: 'channel_folder', op, ...fields };
  return [{ to: 'everyone', event }];
}
