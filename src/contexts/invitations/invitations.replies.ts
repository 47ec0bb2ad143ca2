import { z } from 'zod';
import { id, seconds, secondsOrNever } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';

const invitation = {
  id,
  invited_by_user_id: id,
  invited: seconds,
  expiry_date: secondsOrNever,
  invited_as: z
    .int()
    .describe(
      'The role of the invited person: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest',
    ),
} as const;

/** Answered by `GET invites`. */
export const invitationsReply = {
  invites: z.array(
    z.union([
      z.strictObject({
        ...invitation,
        is_multiuse: z.literal(false),
        email: z.string(),
        notify_referrer_on_join: z.boolean(),
      }),
      z.strictObject({ ...invitation, is_multiuse: z.literal(true), link_url: z.string() }),
    ]),
  ),
};

/** Answered by `POST invites/multiuse`. */
export const createdLinkReply = { invite_link: z.string() };

/** Answered by `POST join`. */
export const joinedReply = { user_id: id, email: z.string(), api_key: z.string() };

/** Answered by `POST realm/test_welcome_bot_custom_message`. */
export const welcomeTestReply = { message_id: id };

/** Schemas of the client events about invitations: only that they changed. */
export const invitationEventSchemas = [clientEvent('invites_changed', null, {})];
