import { z } from 'zod';
import { JsonParameter } from '../../../http/parameters/parameter-decorators.js';
import type { Principal } from '../principals.js';
import { principalsSchema } from './subscribe.parameters.js';

/** Parameters of DELETE /users/me/subscriptions (facts, section 5). */
export class UnsubscribeParameters {
  @JsonParameter({
    example: ['engines'],
    required: true,
    schema: z.array(z.string()),
    description: 'Names of channels.',
  })
  subscriptions!: string[];

  @JsonParameter({
    schema: principalsSchema,
    description: 'Ids or e-mail addresses of the people to unsubscribe. Default: the caller.',
  })
  principals?: Principal[];
}
