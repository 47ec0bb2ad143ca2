import { isPermitted } from '../../access/membership.js';
import type { Snapshot } from '../../access/snapshot.js';
import { mayAddSubscribersAnywhere } from '../../access/permissions.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { idAtRevision } from '../../kernel/ids.js';
import type { User } from '../../access/records/user.js';
import { type ChannelDirectory, channelNamed } from './channels.state.js';
import {
  assertRoomForChannels,
  assertRoomForSubscriptions,
  type AddedSubscriptions,
} from './channel-budgets.js';
import { channelDescriptionOf, channelNameOf } from './channel-names.js';
import { assertMayCreate, privacyOf, type ChannelSettings } from './channel-settings.js';
import type { ChannelCreated, ChannelPermissions } from '../../events/channels.js';
import type { FurtherSubscription } from '../../events/subscriptions.js';
import {
  channelPermission,
  defaultChannelPermissions,
  permissionValues,
} from '../../access/channel-permission-values.js';
import type { Actor } from '../../access/actor.js';

/** A channel as a request names it. */
export interface ChannelRequest {
  readonly name: string;
  /** Used only for a channel that is created. */
  readonly description: string;
  /** `#rrggbb`; null: each subscriber gets one by default. */
  readonly color: string | null;
}

/** The channels that one request creates. */
interface NewChannels {
  /** Their names are not in use. */
  readonly requests: readonly ChannelRequest[];
  readonly settings: ChannelSettings;
  readonly subscriberIds: readonly number[];
  readonly announce: boolean;
  /** Subscriptions to existing channels by the same request; the first channel's event carries them. */
  readonly continuation: readonly FurtherSubscription[];
  readonly notify: boolean;
}

/** The creator, and the state that the decision depends on. */
interface Creation {
  readonly snapshot: Snapshot;
  readonly creator: User;
  /** At the revision that the append will expect. */
  readonly directory: ChannelDirectory;
}

/**
 * Creates channels with their first subscribers.
 *
 * @throws ApplicationError when the creator may not, or the settings are inconsistent; `tooManyChannels`, `channelsNameTooMany`
 */
export function createChannels(
  { snapshot, creator, directory }: Creation,
  channels: NewChannels,
): EventOf<typeof ChannelCreated>[] {
  if (channels.requests.length === 0) return [];
  const { settings, subscriberIds } = channels;
  assertMayCreate(snapshot, creator, settings);
  const permissions: ChannelPermissions = {
    ...defaultChannelPermissions(creator.id),
    ...permissionValues(snapshot, settings.permissions),
  };
  assertRoomForChannels(directory, creator.id, { count: channels.requests.length, permissions });
  if (subscriberIds.some((id) => id !== creator.id)) assertMayAddOthers(snapshot, creator, permissions);
  return channels.requests.map(({ name, description, color }, index) => ({
    type: 'ChannelCreated',
    data: {
      channelId: idAtRevision(directory.nextRevision + index),
      name: channelNameOf(name),
      description: channelDescriptionOf(description),
      creatorId: creator.id,
      privacy: privacyOf(settings),
      permissions,
      topicsPolicy: settings.topicsPolicy ?? 'inherit',
      messageRetentionDays: settings.messageRetentionDays ?? null,
      folderId: settings.folderId,
      isDefault: settings.isDefault,
      subscriberIds: [...subscriberIds],
      color,
      announced: channels.announce,
      continuation: index === 0 ? [...channels.continuation] : [],
      notify: index === 0 && channels.notify,
    },
  }));
}

/** The subscriptions of others that a creation of channels makes. */
export function firstSubscriptions(
  creatorId: number,
  { subscriberIds }: Pick<NewChannels, 'subscriberIds'>,
  channelCount: number,
): AddedSubscriptions {
  return { creatorId, count: channelCount * subscriberIds.filter((id) => id !== creatorId).length };
}

function assertMayAddOthers(snapshot: Snapshot, creator: User, permissions: ChannelPermissions): void {
  const may =
    mayAddSubscribersAnywhere(snapshot, creator) ||
    isPermitted(snapshot, channelPermission({ permissions }, 'can_administer_channel_group'), creator) ||
    isPermitted(snapshot, channelPermission({ permissions }, 'can_add_subscribers_group'), creator);
  if (!may) throw failure('insufficientPermission');
}

/** The parameters for the new channel. */
export interface CreateChannelRequest {
  readonly name: string;
  readonly description: string;
  readonly subscriberIds: readonly number[];
  readonly settings: ChannelSettings;
  readonly announce: boolean;
}

/** @throws ApplicationError `channelAlreadyExists`, `tooManySubscriptions`, and those of {@link createChannels} */
export function decideCreatingChannel(
  directory: ChannelDirectory,
  { name, description, ...rest }: CreateChannelRequest,
  { snapshot, user: caller }: Actor,
): readonly EventOf<typeof ChannelCreated>[] {
  const existing = channelNamed(directory, name);
  if (existing !== null) throw failure('channelAlreadyExists', { channel_name: existing.name });
  const requests = [{ name, description, color: null }];
  assertRoomForSubscriptions(directory, snapshot.directory, [firstSubscriptions(caller.id, rest, 1)]);
  return createChannels(
    { snapshot, creator: caller, directory },
    { ...rest, requests, continuation: [], notify: false },
  );
}
