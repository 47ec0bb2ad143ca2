import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ActivePeople } from './active-people.js';
import { Principals } from './principals.js';
import { ChannelListing, Descriptions } from './channel-listing.js';
import { ChannelStreams } from './channel-streams.js';
import { ChannelsController, DefaultChannelsController } from './channels.controller.js';
import {
  ArchiveChannelHandler,
  ChooseDefaultChannelHandler,
  CreateChannelHandler,
  UpdateChannelHandler,
} from './commands/channels.js';
import {
  SetSubscriptionPropertiesHandler,
  SubscribeUsersHandler,
  UnsubscribeUsersHandler,
} from './commands/subscriptions.js';
import { ChannelFoldersController } from './folders/channel-folders.controller.js';
import {
  ChangeChannelFolderHandler,
  CreateChannelFolderHandler,
  ReorderChannelFoldersHandler,
} from './folders/commands/folders.js';
import { GetChannelFoldersHandler } from './folders/queries/channel-folders.js';
import {
  GetChannelHandler,
  GetChannelIdHandler,
  GetChannelMembersHandler,
  GetChannelsHandler,
} from './queries/channels.js';
import {
  GetSubscriptionsHandler,
  GetSubscriptionStatusHandler,
  GetUserChannelsHandler,
} from './queries/subscriptions.js';
import { AnnounceNewPeople, SubscribeNewPeople } from './reactors/new-people.js';
import { CompleteSubscriptions } from './reactors/complete-subscriptions.js';
import { SendChannelNotices } from './reactors/send-channel-notices.js';
import { SubscriptionsController } from './subscriptions.controller.js';

const handlers = [
  SubscribeUsersHandler,
  UnsubscribeUsersHandler,
  SetSubscriptionPropertiesHandler,
  CreateChannelHandler,
  UpdateChannelHandler,
  ArchiveChannelHandler,
  ChooseDefaultChannelHandler,
  CreateChannelFolderHandler,
  ChangeChannelFolderHandler,
  ReorderChannelFoldersHandler,
  GetChannelFoldersHandler,
  GetSubscriptionsHandler,
  GetSubscriptionStatusHandler,
  GetUserChannelsHandler,
  GetChannelsHandler,
  GetChannelHandler,
  GetChannelIdHandler,
  GetChannelMembersHandler,
];

/** Channels and their subscriptions. */
@Module({
  imports: [CqrsModule],
  controllers: [
    ChannelsController,
    SubscriptionsController,
    ChannelFoldersController,
    DefaultChannelsController,
  ],
  providers: [
    Principals,
    ActivePeople,
    ChannelStreams,
    ChannelListing,
    Descriptions,
    CompleteSubscriptions,
    SendChannelNotices,
    SubscribeNewPeople,
    AnnounceNewPeople,
    ...handlers,
  ],
  exports: [ActivePeople, ChannelListing, ChannelStreams],
})
export class ChannelsModule {}
