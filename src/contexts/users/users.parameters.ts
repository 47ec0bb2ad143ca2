import { z } from 'zod';
import {
  TextParameter,
  IntegerParameter,
  JsonParameter,
  BooleanParameter,
} from '../../http/parameters/parameter-decorators.js';
import { profileDataSchema, type ProfileDataInput } from '../profiles/profiles.parameters.js';
import type { Deletions } from './deactivation.decide.js';
import type { UserFormat } from './user-objects.js';

/** Parameters of POST /users. */
export class CreateUserParameters {
  @TextParameter({
    example: 'ada@example.com',
    required: true,
    description: 'The address that the person logs in with.',
  })
  email!: string;

  @TextParameter({
    example: 'mauve-loom-1843',
    required: true,
    description: '6 to 100 characters, hard to guess.',
  })
  password!: string;

  @TextParameter({ example: 'Ada Quill', required: true, description: '2 to 100 characters.' })
  full_name!: string;
}

/** Parameters of PATCH /users/{user_id}. */
export class UpdateUserParameters {
  @TextParameter({ description: '2 to 100 characters.' })
  full_name?: string;

  @IntegerParameter({ description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.' })
  role?: number;

  @JsonParameter({
    schema: profileDataSchema,
    description: 'Profile fields by their ids: `[{"id": 1, "value": "Ada"}]`; null clears one.',
  })
  profile_data?: ProfileDataInput;

  @TextParameter({ description: 'Another address, for owners who may change those of others.' })
  new_email?: string;
}

const actions = z.object({
  delete_profile: z.boolean().optional(),
  delete_public_channel_messages: z.boolean().optional(),
  delete_private_channel_messages: z.boolean().optional(),
  delete_direct_messages: z.boolean().optional(),
});

/** Parameters of DELETE /users/{user_id}. */
export class DeactivateUserParameters {
  @JsonParameter({
    schema: actions,
    description:
      'What to delete of them: `{"delete_profile", "delete_public_channel_messages", "delete_private_channel_messages", "delete_direct_messages"}`, each true or false.',
  })
  actions?: z.infer<typeof actions>;

  @TextParameter({
    description:
      'Writes to them by e-mail, with these words; empty: with none. Absent: nobody is written to.',
  })
  deactivation_notification_comment?: string;
}

/** The parts of a person's data to delete; parts that are not named stay. */
export function deletionsIn(sent: z.infer<typeof actions>): Deletions {
  return {
    profile: sent.delete_profile ?? false,
    publicChannelMessages: sent.delete_public_channel_messages ?? false,
    privateChannelMessages: sent.delete_private_channel_messages ?? false,
    directMessages: sent.delete_direct_messages ?? false,
  };
}

/** How accounts are formatted. */
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

/** The format for the query, with the API's defaults for what was not sent. */
export function userFormat(parameters: UserFormatParameters): UserFormat {
  return {
    clientGravatar: parameters.client_gravatar ?? true,
    includeProfile: parameters.include_custom_profile_fields ?? false,
  };
}
