import {
  ChannelFolderArchived,
  ChannelFolderDescriptionChanged,
  ChannelFolderRenamed,
  ChannelFolderUnarchived,
  type ChannelFolderEvent,
} from '../../../events/channel-folders.js';
import { folderObjects } from '../folders/queries/channel-folders.js';
import { isEvent, type Recorded } from '../../../kernel/event.js';
import { renderDescription } from '../../../markdown/render.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import type { AddressedEvent, MapperContext, Mappers } from '../../../realtime/mapper.js';

/** Channel folders are the same for everyone. */
export const channelFolderMappers: Mappers<ChannelFolderEvent> = {
  ChannelFolderCreated: {
    clientEvents: ({ data: { folderId } }, { snapshot: { directory } }) => {
      const folder = folderObjects(directory.channelFolders, renderDescription).find(
        ({ id }) => id === folderId,
      );
      return folder === undefined ? [] : toEveryone('add', { channel_folder: folder });
    },
  },
  ChannelFolderRenamed: { clientEvents: updateEvents },
  ChannelFolderDescriptionChanged: { clientEvents: updateEvents },
  ChannelFolderArchived: { clientEvents: updateEvents },
  ChannelFolderUnarchived: { clientEvents: updateEvents },
  ChannelFoldersReordered: {
    clientEvents: ({ data: { folderIds } }) => toEveryone('reorder', { order: folderIds }),
  },
};

const folderUpdates = [
  ChannelFolderRenamed,
  ChannelFolderDescriptionChanged,
  ChannelFolderArchived,
  ChannelFolderUnarchived,
] as const;

type FolderUpdate = Recorded<(typeof folderUpdates)[number]>;

/** One client event for all changes of one append to a folder, made at the first of them. */
function updateEvents(event: FolderUpdate, { appended }: MapperContext): readonly AddressedEvent[] {
  // An append changes one folder, adds one, or reorders all of them.
  const updates = appended.filter((one) => isEvent(one, ...folderUpdates));
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
      return { description, rendered_description: renderDescription(description) };
    }
    case 'ChannelFolderArchived':
      return { is_archived: true };
    case 'ChannelFolderUnarchived':
      return { is_archived: false };
  }
}

function toEveryone(op: string, fields: object): readonly AddressedEvent[] {
  const event: ClientEvent = { type: 'channel_folder', op, ...fields };
  return [{ to: 'everyone', event }];
}
