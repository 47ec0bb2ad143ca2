import { IsIn } from 'class-validator';
import { z } from 'zod';
import {
  BooleanParameter,
  JsonParameter,
  TextParameter,
  JsonOrTextParameter,
} from '../../http/parameters/parameter-decorators.js';
import { ChannelSettingsParameters } from './channel-settings.parameters.js';
import { colorOf, type PropertyRequest } from './subscription-properties.decide.js';
import type { ChannelRequest } from './new-channels.decide.js';
import type { Principal } from './principals.js';
import type { SubscriberListing } from './queries/subscriptions.js';
import { budgets } from '../../kernel/budgets.js';

/** The channels in a request. */
const requestedChannels = z
  .array(z.object({ name: z.string(), description: z.string().nullish(), color: z.string().nullish() }))
  .max(budgets.listOfRequest.max);

/** People by id or by e-mail address, not mixed. */
const principalsSchema = z.union([z.array(z.number().int()), z.array(z.string())]);

/** Parameters of POST /users/me/subscriptions. */
export class SubscribeParameters extends ChannelSettingsParameters {
  @JsonParameter({
    maxItems: budgets.channelsOfRequest.max,
    example: [{ name: 'engines', description: 'What they weave' }],
    required: true,
    schema: requestedChannels,
    description: 'Channels as `{"name", "description", "color"}`; those that do not exist are created.',
  })
  subscriptions!: z.infer<typeof requestedChannels>;

  @JsonParameter({
    maxItems: budgets.subscriptionsOfRequest.max,
    schema: principalsSchema,
    description: 'Ids or e-mail addresses of the accounts to subscribe. Default: the caller.',
  })
  principals?: Principal[];

  @BooleanParameter({
    description: 'Whether new accounts are subscribed to the channels that are created. Default false.',
  })
  is_default_stream?: boolean;

  @BooleanParameter({
    description: 'Whether the notification bot announces the channels that are created. Default false.',
  })
  announce?: boolean;

  @BooleanParameter({
    description:
      'Whether the whole request is refused if there is a channel that the caller may not subscribe to. Default true.',
  })
  authorization_errors_fatal?: boolean;

  @BooleanParameter({
    description:
      'Whether the notification bot tells the people whom the caller subscribes. If they are too many, it does not, and the reply says so. Default true.',
  })
  send_new_subscription_messages?: boolean;
}

/**
 * The channels in the form of the deciders.
 *
 * @throws ApplicationError `invalidColor`
 */
export function channelRequests({ subscriptions }: SubscribeParameters): ChannelRequest[] {
  return subscriptions.map(({ name, description, color }) => ({
    name,
    description: description ?? '',
    color: color == null ? null : colorOf(color),
  }));
}

/** Parameters of DELETE /users/me/subscriptions. */
export class UnsubscribeParameters {
  @JsonParameter({
    maxItems: budgets.channelsOfRequest.max,
    example: ['engines'],
    required: true,
    schema: z.array(z.string()).max(budgets.listOfRequest.max),
    description: 'Names of the channels to unsubscribe from.',
  })
  subscriptions!: string[];

  @JsonParameter({
    maxItems: budgets.subscriptionsOfRequest.max,
    schema: principalsSchema,
    description: 'Ids or e-mail addresses of the accounts to unsubscribe. Default: the caller.',
  })
  principals?: Principal[];
}

/** Parameters of PATCH /users/me/subscriptions. */
export class ChangeSubscriptionsParameters {
  @JsonParameter({
    maxItems: budgets.channelsOfRequest.max,
    example: [{ name: 'engines' }],
    schema: requestedChannels,
    description: 'Channels to subscribe to, as `{"name", "description", "color"}`.',
  })
  add?: z.infer<typeof requestedChannels>;

  @JsonParameter({
    maxItems: budgets.channelsOfRequest.max,
    schema: z.array(z.string()).max(budgets.listOfRequest.max),
    description: 'Names of the channels to unsubscribe from.',
  })
  delete?: string[];
}

const listings = ['true', 'false', 'partial'] as const satisfies readonly SubscriberListing[];

/** Parameters of GET /users/me/subscriptions. */
export class GetSubscriptionsParameters {
  @TextParameter({ values: listings, description: 'Whether subscribers are listed. Default `false`.' })
  @IsIn(listings)
  include_subscribers?: SubscriberListing;
}

const value = z.union([z.boolean(), z.string()]);
const subscriptionData = z
  .array(z.object({ stream_id: z.number().int(), property: z.string(), value }))
  .max(budgets.listOfRequest.max);

/** Parameters of POST /users/me/subscriptions/properties. */
export class SubscriptionPropertiesParameters {
  @JsonParameter({
    example: [{ stream_id: 1, property: 'color', value: '#76ce90' }],
    required: true,
    schema: subscriptionData,
    description: 'Settings as `{"stream_id", "property", "value"}`.',
  })
  subscription_data!: z.infer<typeof subscriptionData>;
}

/** The settings in the form of the deciders. */
export function propertyRequests({ subscription_data }: SubscriptionPropertiesParameters): PropertyRequest[] {
  return subscription_data.map(({ stream_id: channelId, property, value }) => ({
    channelId,
    property,
    value,
  }));
}

/** Parameters of PATCH /users/me/subscriptions/{stream_id}. */
export class SubscriptionPropertyParameters {
  @TextParameter({
    example: 'color',
    required: true,
    description:
      'color, is_muted, in_home_view, pin_to_top, desktop_notifications, audible_notifications, ' +
      'push_notifications, email_notifications or wildcard_mentions_notify.',
  })
  property!: string;

  @JsonOrTextParameter({
    example: '#76ce90',
    required: true,
    schema: value,
    description: 'A hexadecimal colour for `color`; `true` or `false` for all other properties.',
  })
  value!: boolean | string;
}
