import { isSubscribed, type Subscription } from '../../access/records/subscription.js';
import { subscriptionFields } from './channels.view.js';
import { byName } from './channel-listing.js';
import { folderObjects } from './folders/queries/channel-folders.js';
import { hasMetadataAccess } from '../../access/channel-permissions.js';
import type { Channel } from '../../access/records/channel.js';
import { isGuest } from '../../access/records/roles.js';
import { fieldsForClient } from './client-events/subscriptions.js';
import { channelGroupObjects, defaultChannelIds } from './client-events/defaults.js';
import { renderDescription } from '../../markdown/render.js';
import { RawJson } from '../../kernel/json.js';
import { isShownChannel } from '../../realtime/mapper.js';
import { writeInSlices } from '../../runtime/time-slice.js';
import type { InitialState, StateFields, StateRequest } from '../../realtime/initial-state.js';
import type { ChannelStateModels } from './client-models.js';
import { subscriberFields } from './queries/subscriptions.js';

/** Channels, and the person's subscriptions to them. */
export const channelState: InitialState<ChannelStateModels> = {
  subscription: async (request) => subscriptionLists(request),
  stream: async (request) => {
    const channels = knownChannels(request);
    const fields = await request.models.listing.fieldsOf(request.snapshot.directory, channels);
    const texts = await writeInSlices(fields, (channel) => JSON.stringify(channel));
    return { streams: new RawJson(`[${texts.join(',')}]`) };
  },
  channel_folders: ({ snapshot }) => ({
    channel_folders: folderObjects(snapshot.directory.channelFolders, renderDescription),
  }),
  default_stream_groups: ({ snapshot, user }) => ({
    realm_default_stream_groups: isGuest(user) ? [] : channelGroupObjects(snapshot),
  }),
  default_streams: ({ snapshot, user }) => ({
    realm_default_streams: isGuest(user) ? [] : defaultChannelIds(snapshot),
  }),
};

function knownChannels({ snapshot, user, options }: StateRequest): Channel[] {
  return [...snapshot.directory.channels()]
    .filter(({ id }) => isShownChannel(id, snapshot.directory, options))
    .filter((channel) => hasMetadataAccess(snapshot, user, channel))
    .sort(byName);
}

/** Three lists: channels that the person is subscribed to, was subscribed to, and never was. */
async function subscriptionLists(request: StateRequest<ChannelStateModels>): Promise<StateFields> {
  const { models, snapshot, options, user } = request;
  const { directory } = snapshot;
  const channels = knownChannels(request);
  const fields = await models.listing.fieldsOf(directory, channels);
  const lists: Record<SubscriptionList, string[]> = {
    subscriptions: [],
    unsubscribed: [],
    never_subscribed: [],
  };
  const include = options.includeSubscribers;
  const active = new Set(include === 'partial' ? [...(await models.activePeople.ids()), user.id] : []);
  const kinds: SubscriptionList[] = [];
  const texts = await writeInSlices(channels.entries(), ([index, channel]) => {
    const subscription = directory.subscription(channel.id, user.id);
    kinds.push(listOf(subscription));
    const own = subscription === null ? {} : ownFields(subscription, request);
    const subscribers = subscriberFields(directory, channel.id, { include, active });
    return JSON.stringify({ ...fields[index], ...subscribers, ...own });
  });
  kinds.forEach((kind, index) => lists[kind].push(texts[index] ?? ''));
  return Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [name, new RawJson(`[${list.join(',')}]`)]),
  );
}

type SubscriptionList = 'subscriptions' | 'unsubscribed' | 'never_subscribed';

function listOf(subscription: Subscription | null): SubscriptionList {
  if (subscription === null) return 'never_subscribed';
  return isSubscribed(subscription) ? 'subscriptions' : 'unsubscribed';
}

function ownFields(subscription: Subscription, request: StateRequest): Record<string, unknown> {
  return fieldsForClient(subscriptionFields(subscription), request, request.snapshot);
}
