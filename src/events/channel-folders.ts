import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const folderId = z.number().int().positive();

/** Stream `channel-folders`. The id is the revision of this event plus one. A new folder is the last. */
export const ChannelFolderCreated = defineEvent({
  type: 'ChannelFolderCreated',
  description: 'A folder to show channels in was made for everyone.',
  schema: z.strictObject({ folderId, name: z.string(), description: z.string() }),
  example: { folderId: 1, name: 'Engineering', description: 'What we build' },
});

/** Stream `channel-folders`. */
export const ChannelFolderRenamed = defineEvent({
  type: 'ChannelFolderRenamed',
  description: 'A channel folder got another name.',
  schema: z.strictObject({ folderId, name: z.string(), previousName: z.string() }),
  example: { folderId: 1, name: 'Engines', previousName: 'Engineering' },
});

/** Stream `channel-folders`. */
export const ChannelFolderDescriptionChanged = defineEvent({
  type: 'ChannelFolderDescriptionChanged',
  description: 'A channel folder got another description.',
  schema: z.strictObject({ folderId, description: z.string(), previousDescription: z.string() }),
  example: { folderId: 1, description: 'What we compute', previousDescription: 'What we build' },
});

/** Stream `channel-folders`. */
export const ChannelFolderArchived = defineEvent({
  type: 'ChannelFolderArchived',
  description: 'An empty channel folder was archived: no channel can be put into it.',
  schema: z.strictObject({ folderId }),
  example: { folderId: 1 },
});

/** Stream `channel-folders`. */
export const ChannelFolderUnarchived = defineEvent({
  type: 'ChannelFolderUnarchived',
  description: 'An archived channel folder was opened again.',
  schema: z.strictObject({ folderId }),
  example: { folderId: 1 },
});

/** Stream `channel-folders`. */
export const ChannelFoldersReordered = defineEvent({
  type: 'ChannelFoldersReordered',
  description: 'The channel folders were put into another order.',
  schema: z.strictObject({ folderIds: z.array(folderId) }),
  example: { folderIds: [2, 1] },
});

export const channelFolderEvents = [
  ChannelFolderCreated,
  ChannelFolderRenamed,
  ChannelFolderDescriptionChanged,
  ChannelFolderArchived,
  ChannelFolderUnarchived,
  ChannelFoldersReordered,
] as const;

export type ChannelFolderEvent = EventOf<(typeof channelFolderEvents)[number]>;
