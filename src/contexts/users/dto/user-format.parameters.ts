import { z } from 'zod';
import { BooleanParameter, JsonParameter } from '../../../http/parameters/parameter-decorators.js';
import type { UserFormat } from '../views/user-object.js';

/** How one account is to be given (facts, section 5, GET users). */
export class UserFormatParameters {
  @BooleanParameter({ description: 'Leave `avatar_url` null where the client can compute it. Default true.' })
  client_gravatar?: boolean;

  @BooleanParameter({ description: 'Give the values of custom profile fields. Default false.' })
  include_custom_profile_fields?: boolean;
}

/** Parameters of GET /users. */
export class GetUsersParameters extends UserFormatParameters {
  @JsonParameter({ schema: z.array(z.number().int()), description: 'Only these accounts.' })
  user_ids?: number[];
}

/** The format as the domain knows it; what was not sent is as the specification says. */
export function userFormat(parameters: UserFormatParameters): UserFormat {
  return {
    clientGravatar: parameters.client_gravatar ?? true,
    includeProfile: parameters.include_custom_profile_fields ?? false,
  };
}
