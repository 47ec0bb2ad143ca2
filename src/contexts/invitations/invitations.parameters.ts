import { IsIn } from 'class-validator';
import { z } from 'zod';
import { roles } from '../../access/records/roles.js';
import type { Role } from '../../events/users.js';
import {
  BooleanParameter,
  IntegerParameter,
  JsonParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import type { InvitationRequest } from './commands/invitations.js';
import { MAX_ADDRESS_LENGTH } from '../users/email-address.js';
import { MAX_WELCOME_TEXT_LENGTH } from './inviting.decide.js';
import { budgets } from '../../kernel/budgets.js';
import { limits } from '../../events/values/organization-defaults.js';

const ids = z.array(z.number().int().positive()).max(1000);
const roleValues = Object.values(roles);

/** Parameters for the terms of every invitation. */
class InvitationTermsParameters {
  @IntegerParameter({
    nullable: true,
    description:
      'After how many minutes the invitation expires; null: never. Absent: the setting of the server, which is ten days by default.',
  })
  invite_expires_in_minutes?: number | null;

  @IntegerParameter({ values: roleValues, description: 'The role of the new account. Default 400 (member).' })
  @IsIn(roleValues)
  invite_as?: Role;

  @JsonParameter({ schema: ids, description: 'Ids of the user groups to add the new account to.' })
  group_ids?: number[];

  @BooleanParameter({ description: 'Whether the new account is also subscribed to the default channels.' })
  include_realm_default_subscriptions?: boolean;

  @TextParameter({
    maxLength: MAX_WELCOME_TEXT_LENGTH,
    description:
      'Markdown that the welcome bot sends to the new account. Absent or `null`: the text of the organization; empty: no text.',
  })
  welcome_message_custom_text?: string;
}

/** Parameters of POST /invites. */
export class SendInvitationsParameters extends InvitationTermsParameters {
  @TextParameter({
    maxItems: budgets.addressesOfRequest.max,
    example: 'bo@example.com',
    required: true,
    description: 'The e-mail addresses to invite, separated by commas or line breaks.',
  })
  invitee_emails!: string;

  @JsonParameter({
    example: [1],
    required: true,
    schema: ids,
    description: 'Ids of the channels to subscribe the new accounts to.',
  })
  stream_ids!: number[];

  @BooleanParameter({
    description: 'Whether the inviter is told when an invited person joins. Default true.',
  })
  notify_referrer_on_join?: boolean;
}

/** Parameters of POST /invites/multiuse. */
export class CreateInvitationLinkParameters extends InvitationTermsParameters {
  @JsonParameter({ schema: ids, description: 'Ids of the channels to subscribe the new accounts to.' })
  stream_ids?: number[];
}

/** The terms of an invitation in a request. */
export function invitationRequestOf(
  parameters: InvitationTermsParameters & { readonly stream_ids?: number[] },
): InvitationRequest {
  const { invite_as: role = roles.member, stream_ids = [], group_ids = [] } = parameters;
  const { welcome_message_custom_text } = parameters;
  return {
    terms: {
      role,
      channelIds: [...new Set(stream_ids)],
      groupIds: [...new Set(group_ids)],
      includeDefaultChannels: parameters.include_realm_default_subscriptions ?? false,
    },
    validity: parameters.invite_expires_in_minutes,
    welcomeText: welcome_message_custom_text === 'null' ? null : (welcome_message_custom_text ?? null),
  };
}

/** Parameters of POST /join, which creates the account of an invitation. */
export class JoinParameters {
  @TextParameter({
    required: true,
    description: 'The token: the part of the link in the e-mail after `/join/`.',
  })
  token!: string;

  @TextParameter({
    maxLength: limits.fullName,
    required: true,
    description: 'The display name: 2 to 100 characters.',
  })
  full_name!: string;

  @TextParameter({
    maxLength: limits.passwordMaximum,
    required: true,
    description: 'The password: 6 to 100 characters.',
  })
  password!: string;
}

/** Parameters of POST /join_requests: for joining by a reusable link. */
export class RequestSignUpParameters {
  @TextParameter({
    description:
      'The token: the part of the reusable link after `/join/`. Absent: for organizations that everybody may join.',
  })
  token?: string;

  @TextParameter({
    maxLength: MAX_ADDRESS_LENGTH,
    countsUtf16: true,
    required: true,
    description: 'The e-mail address of the new account. The link that creates the account is sent to it.',
  })
  email!: string;
}

/** Fields of the page's form; the token is in the path. */
export class JoinFormParameters {
  @TextParameter()
  full_name?: string;

  @TextParameter()
  password?: string;

  @TextParameter()
  email?: string;
}
