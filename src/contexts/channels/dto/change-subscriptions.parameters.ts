import { z } from 'zod';
import { JsonParameter } from '../../../http/parameters/parameter-decorators.js';
import { requestedChannels } from './subscribe.parameters.js';

/** Parameters of PATCH /users/me/subscriptions. */
export class ChangeSubscriptionsParameters {
  @JsonParameter({
    example: [{ name: 'engines' }],
    schema: requestedChannels,
    description: 'Channels to subscribe to, as `{"name", "description", "color"}`.',
  })
  add?: z.infer<typeof requestedChannels>;

  @JsonParameter({ schema: z.array(z.string()), description: 'Names of channels to leave.' })
  delete?: string[];
}
