import type { Fold } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import { stream } from '../../kernel/stream.js';
import type { ChannelFolderEvent } from '../../events/channel-folders.js';

/** The stream that holds the channel folders, their names and their order. */
export const channelFoldersStream = 'channel-folders';

/** A folder to show channels in, the same for everyone. */
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
  /** In their order, archived ones too. */
  readonly folders: readonly ChannelFolder[];
  /** Revision that the next event of the stream will have. */
  readonly nextRevision: number;
}

/** Where nobody made a folder yet. */
export const noChannelFolders: ChannelFolders = { folders: [], nextRevision: 0 };

/** What the events of the stream `channel-folders` make of the folders. */
export const channelFoldersFold: Fold<ChannelFolders, RecordedEvent<ChannelFolderEvent>> = {
  snapshot: { name: 'channel-folders', version: 1 },
  initial: noChannelFolders,
  evolve({ folders }, event) {
    return { folders: evolve(folders, event), nextRevision: event.revision + 1 };
  },
};

/** The stream of the channel folders, for decisions about them. */
export const foldedChannelFolders = stream(channelFoldersStream, channelFoldersFold);

/** The folder of that id, archived or not. */
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
