import { z } from 'zod';
import {
  JsonOrTextParameter,
  JsonParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';
import type { PropertyRequest } from '../subscription-properties.decide.js';

const value = z.union([z.boolean(), z.string()]);
const subscriptionData = z.array(z.object({ stream_id: z.number().int(), property: z.string(), value }));

/** Parameters of POST /users/me/subscriptions/properties (facts, section 5). */
export class SubscriptionPropertiesParameters {
  @JsonParameter({
    example: [{ stream_id: 1, property: 'color', value: '#76ce90' }],
    required: true,
    schema: subscriptionData,
    description: 'Settings as `{"stream_id", "property", "value"}`.',
  })
  subscription_data!: z.infer<typeof subscriptionData>;
}

/** The settings as the domain knows them. */
export function propertyRequests({ subscription_data }: SubscriptionPropertiesParameters): PropertyRequest[] {
  return subscription_data.map(({ stream_id: channelId, property, value }) => ({
    channelId,
    property,
    value,
  }));
}

/** Parameters of PATCH /users/me/subscriptions/{stream_id} (specification). */
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
    description: 'A hexadecimal colour for `color`, `true` or `false` for all others.',
  })
  value!: boolean | string;
}
