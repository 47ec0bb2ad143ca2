import type { Actor } from '../../../access/actor.js';
import { mayManageChannelFolders } from '../../../access/permissions.js';
import { isLongerThan, isSingleLine, nameKey } from '../../../kernel/text.js';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { refuseUnrenderable } from '../../../markdown/render.js';
import { limits } from '../../../events/values/organization-defaults.js';
import {
  channelFolder,
  type ChannelFolder,
  type ChannelFolders,
} from '../../../access/records/channel-folders.js';
import type { ChannelFolderEvent } from '../../../events/channel-folders.js';

/** Name and description of a folder. */
export interface FolderTexts {
  readonly name: string;
  readonly description: string;
}

/** The changes to a folder; undefined: no change. */
export interface FolderChanges extends Partial<Record<keyof FolderTexts, string | undefined>> {
  readonly folderId: number;
  readonly isArchived?: boolean | undefined;
}

/** @throws ApplicationError `administratorRequired`, `tooManyChannelFolders`, and those of the name and the description */
export function decideCreateFolder(
  state: ChannelFolders,
  { name, description }: FolderTexts,
  { user: caller }: Actor,
): readonly ChannelFolderEvent[] {
  if (!mayManageChannelFolders(caller)) throw failure('administratorRequired');
  if (state.folders.length >= budgets.channelFolders.max) throw failure('tooManyChannelFolders');
  const data = {
    folderId: idAtRevision(state.nextRevision),
    name: freeName(state, name, null),
    description: descriptionOf(description),
  };
  return [{ type: 'ChannelFolderCreated', data }];
}

/**
 * @throws ApplicationError `administratorRequired`, `invalidChannelFolder`, `channelFolderNotEmpty`, and those of the name and
 * the description
 */
export function decideChangeFolder(
  state: ChannelFolders,
  changes: FolderChanges,
  actor: Actor,
): readonly ChannelFolderEvent[] {
  if (!mayManageChannelFolders(actor.user)) throw failure('administratorRequired');
  const folder = channelFolder(state, changes.folderId);
  if (folder === null) throw failure('invalidChannelFolder');
  return [
    ...renamed(state, folder, changes),
    ...descriptionChanged(folder, changes),
    ...archivedOrNot(folder, changes, actor),
  ];
}

/**
 * The order must name every folder once, archived ones included.
 *
 * @throws ApplicationError `administratorRequired`, `invalidFolderOrder`
 */
export function decideReorderFolders(
  { folders }: ChannelFolders,
  folderIds: readonly number[],
  { user: caller }: Actor,
): readonly ChannelFolderEvent[] {
  if (!mayManageChannelFolders(caller)) throw failure('administratorRequired');
  const present = folders.map(({ id }) => id);
  const named = new Set(folderIds);
  const isComplete = folderIds.length === present.length && present.every((id) => named.has(id));
  if (!isComplete) throw failure('invalidFolderOrder');
  if (folderIds.every((id, place) => id === present[place])) return [];
  return [{ type: 'ChannelFoldersReordered', data: { folderIds: [...folderIds] } }];
}

function renamed(
  state: ChannelFolders,
  folder: ChannelFolder,
  { name: sent, isArchived }: FolderChanges,
): readonly ChannelFolderEvent[] {
  // Another folder may have got the name while this one was archived, so the name is checked again.
  const isOpened = folder.isArchived && isArchived === false;
  if (sent === undefined && !isOpened) return [];
  const name = freeName(state, sent ?? folder.name, folder);
  if (name === folder.name) return [];
  return [{ type: 'ChannelFolderRenamed', data: { folderId: folder.id, name, previousName: folder.name } }];
}

function descriptionChanged(
  { id: folderId, description: previousDescription }: ChannelFolder,
  { description: sent }: FolderChanges,
): readonly ChannelFolderEvent[] {
  if (sent === undefined) return [];
  const description = descriptionOf(sent);
  if (description === previousDescription) return [];
  const data = { folderId, description, previousDescription };
  return [{ type: 'ChannelFolderDescriptionChanged', data }];
}

function archivedOrNot(
  { id: folderId, ...folder }: ChannelFolder,
  { isArchived }: FolderChanges,
  { snapshot }: Actor,
): readonly ChannelFolderEvent[] {
  if (isArchived === undefined || isArchived === folder.isArchived) return [];
  if (!isArchived) return [{ type: 'ChannelFolderUnarchived', data: { folderId } }];
  for (const channel of snapshot.directory.channels()) {
    if (channel.folderId === folderId) throw failure('channelFolderNotEmpty');
  }
  return [{ type: 'ChannelFolderArchived', data: { folderId } }];
}

/** A name of 1 to 60 code points that no other folder has, archived ones aside. */
function freeName({ folders }: ChannelFolders, sent: string, own: ChannelFolder | null): string {
  const name = sent.trim();
  if (name === '') throw failure('channelFolderNameEmpty');
  if (isLongerThan(name, limits.channelFolderName)) throw failure('channelFolderNameTooLong');
  if (!isSingleLine(name)) throw failure('channelFolderNameUnprintable');
  const isTaken = folders.some(
    (folder) => folder.id !== own?.id && !folder.isArchived && nameKey(folder.name) === nameKey(name),
  );
  if (isTaken) throw failure('channelFolderNameTaken');
  return name;
}

function descriptionOf(sent: string): string {
  const description = sent.trim();
  if (isLongerThan(description, limits.channelDescription)) throw failure('channelDescriptionTooLong');
  refuseUnrenderable(description, {});
  return description;
}
