import { z } from 'zod';
import {
  TextParameter,
  IntegerParameter,
  JsonParameter,
  BooleanParameter,
} from '../../http/parameters/parameter-decorators.js';
import { profileDataSchema, type ProfileDataInput } from '../profiles/profiles.parameters.js';
import type { Deletions } from './deactivation.decide.js';
import type { UserFormat } from './users.view.js';
import { budgets } from '../../kernel/budgets.js';
import { MAX_ADDRESS_LENGTH } from './email-address.js';
import { limits } from '../../events/values/organization-defaults.js';

/** Parameters of POST /users. */
export class CreateUserParameters {
  @TextParameter({
    maxLength: MAX_ADDRESS_LENGTH,
    countsUtf16: true,
    example: 'ada@example.com',
    required: true,
    description: 'The address that the person logs in with.',
  })
  email!: string;

  @TextParameter({
    maxLength: limits.passwordMaximum,
    example: 'mauve-loom-1843',
    required: true,
    description: 'The password: 6 to 100 characters, hard to guess.',
  })
  password!: string;

  @TextParameter({
    maxLength: limits.fullName,
    example: 'Ada Quill',
    required: true,
    description: 'The display name: 2 to 100 characters.',
  })
  full_name!: string;
}

/** Parameters of PATCH /users/{user_id}. */
export class UpdateUserParameters {
  @TextParameter({ maxLength: limits.fullName, description: 'The new display name: 2 to 100 characters.' })
  full_name?: string;

  @IntegerParameter({
    description: 'The new role: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
  })
  role?: number;

  @JsonParameter({
    schema: profileDataSchema,
    description:
      'Values of profile fields, with the ids of the fields: `[{"id": 1, "value": "Ada"}]`; null clears a field.',
  })
  profile_data?: ProfileDataInput;

  @TextParameter({
    maxLength: MAX_ADDRESS_LENGTH,
    countsUtf16: true,
    description: 'The new e-mail address. Only for owners who may change the addresses of others.',
  })
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
      'Which data of the account to delete: `{"delete_profile", "delete_public_channel_messages", "delete_private_channel_messages", "delete_direct_messages"}`, each true or false.',
  })
  actions?: z.infer<typeof actions>;

  @TextParameter({
    maxLength: budgets.deactivationComment.max,
    description:
      'A text for the e-mail that tells the person of the deactivation. Empty: the e-mail has no such text. Absent: no e-mail is sent.',
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
  @JsonParameter({
    schema: z.array(z.number().int()).max(budgets.listOfRequest.max),
    description: 'Ids of the accounts to return. Absent: all accounts.',
  })
  user_ids?: number[];
}

/** The format for the query, with the API's defaults for what was not sent. */
export function userFormat(parameters: UserFormatParameters): UserFormat {
  return {
    clientGravatar: parameters.client_gravatar ?? true,
    includeProfile: parameters.include_custom_profile_fields ?? false,
  };
}
