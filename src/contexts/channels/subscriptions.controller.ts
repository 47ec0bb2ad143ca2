import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { Answer, SuccessFields } from '../../http/envelope.js';
import { failure } from '../../kernel/errors.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { Readers } from '../../reader-threads/readers.js';
import { SetSubscriptionProperties, SubscribeUsers, UnsubscribeUsers } from './commands/subscriptions.js';
import {
  ChangeSubscriptionsParameters,
  GetSubscriptionsParameters,
  channelRequests,
  SubscribeParameters,
  propertyRequests,
  SubscriptionPropertiesParameters,
  SubscriptionPropertyParameters,
  UnsubscribeParameters,
} from './subscriptions.parameters.js';
import { channelSettings } from './channel-settings.parameters.js';
import { ActivePeople } from './active-people.js';
import { GetSubscriptions, GetSubscriptionStatus, GetUserChannels } from './queries/subscriptions.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import {
  changedSubscriptionsReply,
  subscribeReply,
  subscribedChannelsReply,
  subscriptionStatusReply,
  subscriptionsReply,
  unsubscribeReply,
} from './channels.replies.js';

/** Subscriptions: joining and leaving channels, and how each looks and notifies. */
@ApiTags('channels')
@Controller('users')
export class SubscriptionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly readers: Readers,
    private readonly people: ActivePeople,
  ) {}

  /** Lists the channels that the caller is subscribed to. */
  @Reply(subscriptionsReply)
  @Get('me/subscriptions')
  async list(
    @CurrentCaller() caller: Caller,
    @Parameters(GetSubscriptionsParameters) parameters: GetSubscriptionsParameters,
  ): Promise<Answer> {
    const include = parameters.include_subscribers ?? 'false';
    const activeIds = include === 'partial' ? [...(await this.people.ids())] : [];
    return this.readers.answer(new GetSubscriptions(caller, include, activeIds));
  }

  /** Subscribes people to channels, creating those that do not exist. */
  @Reply(subscribeReply)
  @Post('me/subscriptions')
  async subscribe(
    @CurrentCaller() caller: Caller,
    @Parameters(SubscribeParameters) parameters: SubscribeParameters,
  ): Promise<SuccessFields> {
    const refusalIsFatal = parameters.authorization_errors_fatal ?? true;
    const notify = parameters.send_new_subscription_messages ?? true;
    const command = new SubscribeUsers(caller, {
      channels: channelRequests(parameters),
      principals: parameters.principals ?? [],
      settings: channelSettings(parameters, parameters.is_default_stream ?? false),
      announce: parameters.announce ?? false,
      notify,
      refusalIsFatal,
    });
    const { subscribed, alreadySubscribed, unauthorized, mayNotify } = await this.commands.execute(command);
    return {
      subscribed: Object.fromEntries(subscribed),
      already_subscribed: Object.fromEntries(alreadySubscribed),
      ...(refusalIsFatal ? {} : { unauthorized }),
      ...(notify && { new_subscription_messages_sent: mayNotify }),
    };
  }

  /** Unsubscribes people from channels. */
  @Reply(unsubscribeReply)
  @Delete('me/subscriptions')
  async unsubscribe(
    @CurrentCaller() caller: Caller,
    @Parameters(UnsubscribeParameters) { subscriptions, principals = [] }: UnsubscribeParameters,
  ): Promise<SuccessFields> {
    const command = new UnsubscribeUsers(caller, { channelNames: subscriptions, principals });
    const { removed, notRemoved } = await this.commands.execute(command);
    return { removed, not_removed: notRemoved };
  }

  /** Subscribes the caller to some channels and unsubscribes them from others. */
  @Reply(changedSubscriptionsReply)
  @Patch('me/subscriptions')
  async change(
    @CurrentCaller() caller: Caller,
    @Parameters(ChangeSubscriptionsParameters) { add = [], delete: left = [] }: ChangeSubscriptionsParameters,
  ): Promise<SuccessFields> {
    if (add.length === 0 && left.length === 0) {
      throw failure('noSubscriptionChange');
    }
    return {
      subscribed: {},
      already_subscribed: {},
      removed: [],
      not_removed: [],
      ...(add.length > 0 && (await this.subscribe(caller, { subscriptions: add }))),
      ...(left.length > 0 && (await this.unsubscribe(caller, { subscriptions: left }))),
    };
  }

  /** Sets how several channels look or notify for the caller. */
  @Reply()
  @Post('me/subscriptions/properties')
  async setProperties(
    @CurrentCaller() caller: Caller,
    @Parameters(SubscriptionPropertiesParameters) parameters: SubscriptionPropertiesParameters,
  ): Promise<void> {
    await this.commands.execute(new SetSubscriptionProperties(caller, propertyRequests(parameters)));
  }

  /** Sets how one channel looks or notifies for the caller. */
  @Reply()
  @Patch('me/subscriptions/:stream_id')
  async setProperty(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('stream_id') channelId: number,
    @Parameters(SubscriptionPropertyParameters) { property, value }: SubscriptionPropertyParameters,
  ): Promise<void> {
    await this.commands.execute(new SetSubscriptionProperties(caller, [{ channelId, property, value }]));
  }

  /** Lists the channels that a person is subscribed to, of those that the caller may know of. */
  @Reply(subscribedChannelsReply)
  @Get(':user_id/channels')
  async channels(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('user_id') userId: number,
  ): Promise<SuccessFields> {
    return { subscribed_channel_ids: await this.queries.execute(new GetUserChannels(caller, userId)) };
  }

  /** Returns whether a person is subscribed to a channel. */
  @Reply(subscriptionStatusReply)
  @Get(':user_id/subscriptions/:stream_id')
  async status(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('user_id') userId: number,
    @PathIdentifier('stream_id') channelId: number,
  ): Promise<SuccessFields> {
    const query = new GetSubscriptionStatus(caller, userId, channelId);
    return { is_subscribed: await this.queries.execute(query) };
  }
}
