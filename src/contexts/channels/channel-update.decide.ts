import type { Actor } from '../../access/actor.js';
import {
  hasMetadataAccess,
  mayAdministerChannel,
  mayChooseDefaultChannels,
} from '../../access/permissions.js';
import { failure } from '../../kernel/errors.js';
import type { Channel } from '../../access/records/channel.js';
import {
  type ChannelChanges,
  type ChannelUpdateContext,
  type DecideChange,
  changePermissions,
  changePrivacy,
  changeProperties,
} from './channel-changes.decide.js';
import { assertRoomForPermissions } from './channel-budgets.js';
import { channelNamed, type ChannelDirectory } from './channels.state.js';
import { channelDescriptionOf, channelNameOf } from './channel-names.js';
import type { ChannelDirectoryEvent, ChannelArchived } from '../../events/channels.js';
import type { EventOf } from '../../kernel/event.js';

/**
 * Changes the settings of a channel: all of them in one append, or none.
 *
 * @throws ApplicationError `invalidChannel` when it does not exist or the caller may not know of it, and for
 * every setting that the caller may not change
 */
export function decideChannelUpdate(
  directory: ChannelDirectory,
  { channelId, changes }: { readonly channelId: number; readonly changes: ChannelChanges },
  context: ChannelUpdateContext,
): readonly ChannelDirectoryEvent[] {
  const channel = administeredChannel(directory, channelId, context);
  const rename: DecideChange = () => renamed(directory, channel, changes.name);
  const permit: DecideChange = (...given) => permitted(directory, ...given);
  return [archive, rename, describe, changePrivacy, permit, changeProperties].flatMap((decide) =>
    decide(channel, changes, context),
  );
}

/**
 * Decides whether new people are subscribed to a channel.
 *
 * @throws ApplicationError `administratorRequired`, whatever the channel, and those of {@link
 * decideChannelUpdate}
 */
export function decideDefaultChannel(
  directory: ChannelDirectory,
  { channelId, isDefault }: { readonly channelId: number; readonly isDefault: boolean },
  { snapshot, user: caller }: Actor,
): readonly ChannelDirectoryEvent[] {
  if (!mayChooseDefaultChannels(caller)) throw failure('administratorRequired');
  const command = { channelId, changes: { isDefault, permissions: {} } };
  return decideChannelUpdate(directory, command, { snapshot, user: caller, hasOnlyEmptyTopic: false });
}

/**
 * The channel, if the caller may know of it and administer it.
 *
 * @throws ApplicationError `invalidChannel`, `channelNotAdministered`
 */
function administeredChannel(
  { channels }: ChannelDirectory,
  channelId: number,
  { snapshot, user: caller }: Pick<ChannelUpdateContext, 'snapshot' | 'user'>,
): Channel {
  const channel = channels.get(channelId);
  if (channel === undefined || !hasMetadataAccess(snapshot, caller, channel)) throw failure('invalidChannel');
  if (!mayAdministerChannel(snapshot, caller, channel)) throw failure('channelNotAdministered');
  return channel;
}

const archive: DecideChange = (channel, { isArchived }) => {
  if (isArchived === undefined || isArchived === channel.isArchived) return [];
  return [{ type: isArchived ? 'ChannelArchived' : 'ChannelUnarchived', data: { channelId: channel.id } }];
};

function renamed(
  directory: ChannelDirectory,
  { id, name: previousName }: Channel,
  sent: string | undefined,
): readonly ChannelDirectoryEvent[] {
  if (sent === undefined) return [];
  const name = channelNameOf(sent);
  if (name === previousName) throw failure('channelNameUnchanged');
  const other = channelNamed(directory, name);
  if (other !== null && other.id !== id) throw failure('channelNameTaken');
  return [{ type: 'ChannelRenamed', data: { channelId: id, name, previousName } }];
}

function permitted(
  directory: ChannelDirectory,
  ...[channel, ...rest]: Parameters<DecideChange>
): readonly ChannelDirectoryEvent[] {
  const events = changePermissions(channel, ...rest);
  for (const { type, data } of events) {
    if (type === 'ChannelPermissionsChanged') assertRoomForPermissions(directory, channel, data);
  }
  return events;
}

const describe: DecideChange = ({ id: channelId, description: previousDescription }, changes) => {
  if (changes.description === undefined) return [];
  const description = channelDescriptionOf(changes.description);
  if (description === previousDescription) return [];
  return [{ type: 'ChannelDescriptionChanged', data: { channelId, description, previousDescription } }];
};

/** @throws ApplicationError `invalidChannel`, `channelNotAdministered` */
export function decideArchiving(
  directory: ChannelDirectory,
  channelId: number,
  actor: Actor,
): readonly EventOf<typeof ChannelArchived>[] {
  const { isArchived } = administeredChannel(directory, channelId, actor);
  return isArchived ? [] : [{ type: 'ChannelArchived', data: { channelId } }];
}
