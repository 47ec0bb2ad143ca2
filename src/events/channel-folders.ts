import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const folderId = z.number().int().positive();

/** Stream `channel-folders`. The id is the revision of this event plus one. A new folder is the last. */
export const ChannelFolderCreated = defineEvent({
  type: 'ChannelFolderCreated',
  description: 'A folder that groups channels for everybody was created.',
  schema: z.strictObject({ folderId, name: z.string(), description: z.string() }),
  example: { folderId: 1, name: 'Engineering', description: 'What we build' },
});

/** Stream `channel-folders`. */
export const ChannelFolderRenamed = defineEvent({
  type: 'ChannelFolderRenamed',
  description: 'A channel folder was renamed.',
  schema: z.strictObject({ folderId, name: z.string(), previousName: z.string() }),
  example: { folderId: 1, name: 'Engines', previousName: 'Engineering' },
});

/** Stream `channel-folders`. */
export const ChannelFolderDescriptionChanged = defineEvent({
  type: 'ChannelFolderDescriptionChanged',
  description: 'The description of a channel folder was changed.',
  schema: z.strictObject({ folderId, description: z.string(), previousDescription: z.string() }),
  example: { folderId: 1, description: 'What we compute', previousDescription: 'What we build' },
});

/** Stream `channel-folders`. */
export const ChannelFolderArchived = defineEvent({
  type: 'ChannelFolderArchived',
  description: 'An empty channel folder was archived: no channels can be put into it.',
  schema: z.strictObject({ folderId }),
  example: { folderId: 1 },
});

/** Stream `channel-folders`. */
export const ChannelFolderUnarchived = defineEvent({
  type: 'ChannelFolderUnarchived',
  description: 'An archived channel folder was made active again.',
  schema: z.strictObject({ folderId }),
  example: { folderId: 1 },
});

/** Stream `channel-folders`. */
export const ChannelFoldersReordered = defineEvent({
  type: 'ChannelFoldersReordered',
  description: 'The order of the channel folders was changed.',
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
