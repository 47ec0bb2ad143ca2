import { badRequest, badRequestAbout, row } from './error-row.js';

export const invitationErrors = {
  invalidMailSender: badRequest('Invalid sender'),
  noAddresses: badRequest('You must specify at least one email address.'),
  noInvitationsForChannel: badRequestAbout((reason) => `Invalid channel ID ${reason}. No invites were sent.`),
  mayNotSubscribeOthers: badRequest('You do not have permission to subscribe other users to channels.'),
  welcomeTextRequired: badRequest('welcome_message_custom_text may not be empty'),
  welcomeTextTooLong: badRequest('welcome_message_custom_text is too long (limit: 8000 characters)'),
  invalidValidity: badRequest("Bad value for 'invite_expires_in_minutes'"),
  noSuchInvitation: badRequest('No such invitation'),
  tooManyInvitations: badRequest('Too many invitations were sent today.'),
  /** The same for an invitation that was used, revoked or expired, and for one that never existed. */
  invitationInvalid: badRequest('This invitation link is not valid, or not any more.'),
  invitationRequired: badRequest('You need an invitation to join this organization.'),
  invitationFailed: row<{
    reason: string;
    /** E-mail address, reason, and whether its account is deactivated. */
    errors: readonly (readonly [string, string, boolean])[];
    sent_invitations: boolean;
    daily_limit_reached: boolean;
    license_limit_reached: boolean;
  }>('INVITATION_FAILED', 400, (fields) => fields.reason),
  tooManyAddressesAtOnce: badRequestAbout((limit) => `Too many addresses in one request (limit: ${limit}).`),
} as const;
