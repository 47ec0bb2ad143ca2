import { CHANNEL_FOLDERS_DOCUMENT_ID, subscriptionDocumentId } from '../src/access/directory-documents.js';
import {
  type ChannelFolders,
  channelFoldersFold,
  noChannelFolders,
} from '../src/access/records/channel-folders.js';
import { type Channel, evolveChannel } from '../src/access/records/channel.js';
import {
  type SubscribingEvent,
  subscribersIn,
  type Subscription,
  evolveSubscription,
} from '../src/access/records/subscription.js';
import type { ChannelFolderEvent } from '../src/events/channel-folders.js';
import { type ChannelDirectoryEvent, type ChannelCreated } from '../src/events/channels.js';
import type { RecordedEvent, Recorded } from '../src/kernel/event.js';
import { evolving, type Evolution } from './evolving-records.js';

export const channel = evolving((event: RecordedEvent<ChannelDirectoryEvent>) => [channelOf(event)]);

export const channelFolders = evolving((event: RecordedEvent<ChannelFolderEvent>) => [
  {
    at: { collection: 'channel_folders', id: CHANNEL_FOLDERS_DOCUMENT_ID },
    evolve: (record: ChannelFolders | null) => channelFoldersFold.evolve(record ?? noChannelFolders, event),
  },
]);

export const subscriptions = evolving((event: RecordedEvent<SubscribingEvent>) => subscriptionsOf(event));

export const channelWithSubscriptions = evolving((event: Recorded<typeof ChannelCreated>) => [
  channelOf(event),
  ...subscriptionsOf(event),
]);

function channelOf(event: RecordedEvent<ChannelDirectoryEvent>): Evolution {
  return {
    at: { collection: 'channels', id: event.data.channelId },
    evolve: (record: Channel | null) => evolveChannel(record, event),
  };
}

function subscriptionsOf(event: RecordedEvent<SubscribingEvent>): Evolution[] {
  return subscribersIn(event).map((userId) => ({
    at: { collection: 'subscriptions', id: subscriptionDocumentId(event.data.channelId, userId) },
    evolve: (record: Subscription | null) => evolveSubscription(record, event, userId),
  }));
}
