import { z } from 'zod';
import { BooleanParameter, JsonParameter } from '../../../http/parameters/parameter-decorators.js';
import type { Principal } from '../principals.js';
import { colorOf } from '../color.js';
import type { ChannelRequest } from '../new-channels.decide.js';
import { ChannelSettingsParameters } from './channel-settings.parameters.js';

/** Channels as a request names them. */
export const requestedChannels = z.array(
  z.object({ name: z.string(), description: z.string().nullish(), color: z.string().nullish() }),
);

/** People by id or by e-mail address, never mixed. */
export const principalsSchema = z.union([z.array(z.number().int()), z.array(z.string())]);

/** Parameters of POST /users/me/subscriptions (facts, section 5). */
export class SubscribeParameters extends ChannelSettingsParameters {
  @JsonParameter({
    example: [{ name: 'engines', description: 'What they weave' }],
    required: true,
    schema: requestedChannels,
    description: 'Channels as `{"name", "description", "color"}`; those that do not exist are created.',
  })
  subscriptions!: z.infer<typeof requestedChannels>;

  @JsonParameter({
    schema: principalsSchema,
    description: 'Ids or e-mail addresses of the people to subscribe. Default: the caller.',
  })
  principals?: Principal[];

  @BooleanParameter({ description: 'Whether new people are subscribed to the new channels. Default false.' })
  is_default_stream?: boolean;

  @BooleanParameter({ description: 'Whether the creation is made known to everyone. Default false.' })
  announce?: boolean;

  @BooleanParameter({
    description:
      'Whether one channel that the caller may not subscribe to refuses the request. Default true.',
  })
  authorization_errors_fatal?: boolean;

  @BooleanParameter({
    description:
      'Whether the notification bot tells those whom the caller subscribes, unless they are too many: the reply says so. ' +
      'Default true.',
  })
  send_new_subscription_messages?: boolean;
}

/** The channels as the domain knows them. @throws ApplicationError `invalidColor` */
export function channelRequests({ subscriptions }: SubscribeParameters): ChannelRequest[] {
  return subscriptions.map(({ name, description, color }) => ({
    name,
    description: description ?? '',
    color: color == null ? null : colorOf(color),
  }));
}
