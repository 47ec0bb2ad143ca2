import type { IQueryHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../access/actor.js';
import { hasContentAccess, hasMetadataAccess } from '../../../access/channel-permissions.js';
import type { Channel } from '../../../access/records/channel.js';
import { isGuest } from '../../../access/records/roles.js';
import { isSubscribed } from '../../../access/records/subscription.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import { byName, ChannelListing } from '../channel-listing.js';
import { Query, QueryHandler } from '../../../runtime/nest-decorators.js';

/** One channel (`GET /streams/{stream_id}`). */
export class GetChannel extends Query<Record<string, unknown>> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number,
  ) {
    super();
  }
}

/**
 * @throws ApplicationError `invalidChannel`, the same for a channel that does not exist and one that the
 * caller may not know of
 */
export function knownChannel(channelId: number, { snapshot, user: caller }: Actor): Channel {
  const channel = snapshot.directory.channel(channelId);
  if (channel === null || !hasMetadataAccess(snapshot, caller, channel)) throw failure('invalidChannel');
  return channel;
}

@QueryHandler(GetChannel)
export class GetChannelHandler implements IQueryHandler<GetChannel> {
  constructor(
    private readonly decisions: Decisions,
    private readonly listing: ChannelListing,
  ) {}

  async execute({ caller, channelId }: GetChannel): Promise<Record<string, unknown>> {
    const actor = this.decisions.actor(caller);
    const channel = knownChannel(channelId, actor);
    const [fields] = await this.listing.fieldsOf(actor.snapshot.directory, [channel]);
    return fields ?? {};
  }
}

/** Finds the id of a channel by its name, ignoring case (`GET /get_stream_id`). */
export class GetChannelId extends Query<number> {
  constructor(
    readonly caller: Caller,
    readonly name: string,
  ) {
    super();
  }
}

@QueryHandler(GetChannelId)
export class GetChannelIdHandler implements IQueryHandler<GetChannelId> {
  constructor(private readonly decisions: Decisions) {}

  /**
   * @throws ApplicationError `invalidChannelName`, the same for a channel that does not exist and one that
   * the caller may not know of
   */
  execute({ caller, name }: GetChannelId): Promise<number> {
    const { snapshot, user } = this.decisions.actor(caller);
    const channel = snapshot.directory.channelByName(name);
    if (channel === null || !hasMetadataAccess(snapshot, user, channel)) throw failure('invalidChannelName');
    return Promise.resolve(channel.id);
  }
}

/**
 * Ids of the active accounts that are subscribed to a channel, in rising order (`GET
 * /streams/{stream_id}/members`).
 */
export class GetChannelMembers extends Query<readonly number[]> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number,
  ) {
    super();
  }
}

@QueryHandler(GetChannelMembers)
export class GetChannelMembersHandler implements IQueryHandler<GetChannelMembers> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `invalidChannel` */
  execute({ caller, channelId }: GetChannelMembers): Promise<readonly number[]> {
    const actor = this.decisions.actor(caller);
    const { id } = knownChannel(channelId, actor);
    return Promise.resolve(actor.snapshot.directory.subscriberIds(id));
  }
}

/** Which channels are listed: the union of these sets. */
export interface ChannelSelection {
  /** Public ones, except for guests. */
  readonly public: boolean;
  readonly webPublic: boolean;
  readonly subscribed: boolean;
  /** All that the caller may know of. */
  readonly all: boolean;
  /** All that the caller may read. */
  readonly readable: boolean;
  /** The organization's default channels; each listed channel then says whether it is one. */
  readonly default: boolean;
  /** For a bot: channels that its owner is subscribed to. */
  readonly ownerSubscribed: boolean;
  readonly archived: boolean;
}

/** The channels that the caller may know of (`GET /streams`). */
export class GetChannels extends Query<readonly Record<string, unknown>[]> {
  constructor(
    readonly caller: Caller,
    readonly selection: ChannelSelection,
  ) {
    super();
  }
}

@QueryHandler(GetChannels)
export class GetChannelsHandler implements IQueryHandler<GetChannels> {
  constructor(
    private readonly decisions: Decisions,
    private readonly listing: ChannelListing,
  ) {}

  async execute({ caller, selection }: GetChannels): Promise<readonly Record<string, unknown>[]> {
    const actor = this.decisions.actor(caller);
    const { directory } = actor.snapshot;
    const channels = [...directory.channels()]
      .filter((channel) => isSelected(channel, selection, actor))
      .sort(byName);
    const fields = await this.listing.fieldsOf(directory, channels);
    if (!selection.default) return fields;
    return fields.map((channel, index) => ({ ...channel, is_default: channels[index]?.isDefault ?? false }));
  }
}

/**
 * Whether a channel is in a selection. One that the caller may not know of never is, except those of a bot's owner: the
 * bot may post wherever its owner may.
 */
function isSelected(channel: Channel, selection: ChannelSelection, actor: Actor): boolean {
  const { snapshot, user: caller } = actor;
  if (channel.isArchived && !selection.archived) return false;
  const isSubscriber = (userId: number | null | undefined): boolean =>
    userId != null && isSubscribed(snapshot.directory.subscription(channel.id, userId));
  if (selection.ownerSubscribed && isSubscriber(caller.bot?.ownerId)) return true;
  if (!hasMetadataAccess(snapshot, caller, channel)) return false;
  const { isWebPublic, inviteOnly } = channel.privacy;
  return (
    selection.all ||
    (selection.public && !inviteOnly && !isGuest(caller)) ||
    (selection.webPublic && isWebPublic) ||
    (selection.subscribed && isSubscriber(caller.id)) ||
    (selection.default && channel.isDefault) ||
    (selection.readable && hasContentAccess(snapshot, caller, channel))
  );
}
