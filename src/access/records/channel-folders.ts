import type { Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import { stream } from '../../kernel/decision.js';
import type { ChannelFolderEvent } from '../../events/channel-folders.js';

/** The stream with the channel folders and their order. */
export const CHANNEL_FOLDERS_STREAM = 'channel-folders';

/** A folder of channels, the same for everyone. */
export interface ChannelFolder {
  readonly id: number;
  readonly name: string;
  /** Markdown. */
  readonly description: string;
  readonly creatorId: number | null;
  /** Milliseconds since the UNIX epoch. */
  readonly createdAt: number;
  readonly isArchived: boolean;
}

/** All channel folders. */
export interface ChannelFolders {
  /** In their order, archived ones included. */
  readonly folders: readonly ChannelFolder[];
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

/** The initial state, without folders. */
export const noChannelFolders: ChannelFolders = { folders: [], nextRevision: 0 };

/** Folds the stream `channel-folders`. */
export const channelFoldersFold: Fold<ChannelFolders, RecordedEvent<ChannelFolderEvent>> = {
  snapshot: { name: 'channel-folders', version: 1 },
  initial: noChannelFolders,
  evolve({ folders }, event) {
    return { folders: evolve(folders, event), nextRevision: event.revision + 1 };
  },
};

/** The stream of the channel folders, for decisions about them. */
export const foldedChannelFolders = stream(CHANNEL_FOLDERS_STREAM, channelFoldersFold);

/** A folder by id, archived or not. */
export function channelFolder({ folders }: ChannelFolders, id: number): ChannelFolder | null {
  return folders.find((folder) => folder.id === id) ?? null;
}

function evolve(
  folders: readonly ChannelFolder[],
  event: RecordedEvent<ChannelFolderEvent>,
): readonly ChannelFolder[] {
  const changed = (folderId: number, change: Partial<ChannelFolder>): readonly ChannelFolder[] =>
    folders.map((folder) => (folder.id === folderId ? { ...folder, ...change } : folder));
  switch (event.type) {
    case 'ChannelFolderCreated':
      return [...folders, created(event)];
    case 'ChannelFolderRenamed':
      return changed(event.data.folderId, { name: event.data.name });
    case 'ChannelFolderDescriptionChanged':
      return changed(event.data.folderId, { description: event.data.description });
    case 'ChannelFolderArchived':
      return changed(event.data.folderId, { isArchived: true });
    case 'ChannelFolderUnarchived':
      return changed(event.data.folderId, { isArchived: false });
    case 'ChannelFoldersReordered': {
      const { folderIds } = event.data;
      return [...folders].sort((a, b) => folderIds.indexOf(a.id) - folderIds.indexOf(b.id));
    }
    default:
      return unreachable(event);
  }
}

type Created = Extract<RecordedEvent<ChannelFolderEvent>, { type: 'ChannelFolderCreated' }>;

function created({ data: { folderId: id, ...facts }, metadata }: Created): ChannelFolder {
  return { id, ...facts, creatorId: metadata.actorId, createdAt: metadata.at, isArchived: false };
}
