import { isSubscribed, type Subscription } from '../../channels/subscription.js';
import { subscriptionFields } from '../../channels/channel-fields.js';
import { byName } from '../../channels/channel-listing.js';
import { folderObjects } from '../../channels/folders/folder-objects.js';
import { hasMetadataAccess } from '../../directory/channel-permissions.js';
import type { Channel } from '../../channels/channel.js';
import { isGuest } from '../../users/roles.js';
import { withDefaults } from '../translations/subscriptions.js';
import { renderedText } from '../translations/channel-folders.js';
import { isShownChannel } from '../shown-channels.js';
import type { InitialState, StateFields, StateRequest } from './initial-state.js';

/** Channels, and the person's subscriptions to them. */
export const channelState: InitialState = {
  subscription: async (request) => subscriptionLists(request),
  stream: async (request) => {
    const channels = knownChannels(request);
    return { streams: await request.listing.fieldsOf(request.moment.directory, channels) };
  },
  channel_folders: ({ moment }) => ({
    channel_folders: folderObjects(moment.directory.channelFolders, renderedText),
  }),
  default_streams: ({ moment, user }) => ({
    realm_default_streams: isGuest(user)
      ? []
      : [...moment.directory.channels()]
          .filter(({ isDefault }) => isDefault)
          .map(({ id }) => id)
          .sort((a, b) => a - b),
  }),
};

function knownChannels({ moment, user, options }: StateRequest): Channel[] {
  return [...moment.directory.channels()]
    .filter(({ id }) => isShownChannel(id, moment.directory, options))
    .filter((channel) => hasMetadataAccess(moment, user, channel))
    .sort(byName);
}

/** By whether the person is, or once was, subscribed. */
async function subscriptionLists(request: StateRequest): Promise<StateFields> {
  const { listing, moment, user } = request;
  const { directory } = moment;
  const channels = knownChannels(request);
  const fields = await listing.fieldsOf(directory, channels);
  const lists: Record<'subscriptions' | 'unsubscribed' | 'never_subscribed', object[]> = {
    subscriptions: [],
    unsubscribed: [],
    never_subscribed: [],
  };
  channels.forEach((channel, index) => {
    const subscription = directory.subscription(channel.id, user.id);
    const object = { ...fields[index], ...subscriberFields(channel, request) };
    if (subscription === null) lists.never_subscribed.push(object);
    else {
      const own = { ...object, ...ownFields(subscription, request) };
      lists[isSubscribed(subscription) ? 'subscriptions' : 'unsubscribed'].push(own);
    }
  });
  return lists;
}

function ownFields(subscription: Subscription, request: StateRequest): Record<string, unknown> {
  return withDefaults(subscriptionFields(subscription), request, request.moment);
}

function subscriberFields({ id }: Channel, { moment, options }: StateRequest): object {
  if (options.includeSubscribers === 'false') return {};
  return { subscribers: moment.directory.subscriberIds(id) };
}
