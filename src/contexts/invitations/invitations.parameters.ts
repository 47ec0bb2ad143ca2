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

const ids = z.array(z.number().int().positive()).max(1000);
const roleValues = Object.values(roles);

/** Parameters for the terms of every invitation. */
class InvitationTermsParameters {
  @IntegerParameter({
    nullable: true,
    description: 'Null: it never expires. Absent: as the server’s operator has set it, by default ten days.',
  })
  invite_expires_in_minutes?: number | null;

  @IntegerParameter({ values: roleValues, description: 'The role of whoever accepts; 400 by default.' })
  @IsIn(roleValues)
  invite_as?: Role;

  @JsonParameter({ schema: ids, description: 'Groups to add them to.' })
  group_ids?: number[];

  @BooleanParameter({ description: 'Whether they are subscribed to the default channels as well.' })
  include_realm_default_subscriptions?: boolean;

  @TextParameter({
    description:
      'Markdown that the welcome bot sends them. Absent or `null`: the organization’s; empty: none.',
  })
  welcome_message_custom_text?: string;
}

/** Parameters of POST /invites. */
export class SendInvitationsParameters extends InvitationTermsParameters {
  @TextParameter({
    example: 'bo@example.com',
    required: true,
    description: 'Addresses, separated by commas or line ends.',
  })
  invitee_emails!: string;

  @JsonParameter({ example: [1], required: true, schema: ids, description: 'Channels to subscribe them to.' })
  stream_ids!: number[];

  @BooleanParameter({ description: 'Whether the inviter is told when they join; true by default.' })
  notify_referrer_on_join?: boolean;
}

/** Parameters of POST /invites/multiuse. */
export class CreateInvitationLinkParameters extends InvitationTermsParameters {
  @JsonParameter({ schema: ids, description: 'Channels to subscribe them to.' })
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
  @TextParameter({ required: true, description: 'What stands behind `/join/` in the link of the e-mail.' })
  token!: string;

  @TextParameter({ required: true, description: '2 to 100 characters.' })
  full_name!: string;

  @TextParameter({ required: true, description: '6 to 100 characters.' })
  password!: string;
}

/** Parameters of POST /join_requests: for joining by a reusable link. */
export class RequestSignUpParameters {
  @TextParameter({
    description: 'What stands behind `/join/` in the reusable link; none where joining is open.',
  })
  token?: string;

  @TextParameter({ required: true, description: 'Where the e-mail goes by which the account is made.' })
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
