import { InvitationRenewed, InvitationSent } from '../../events/invitations.js';
import { EmailChangeRequested, PasswordResetRequested } from '../../events/account-links.js';
import { MissedMessagesMailed } from '../../events/missed-messages.js';
import {
  RecoveryCodeUsed,
  SecondFactorDisabled,
  SecondFactorEnabled,
  SecondFactorRevoked,
} from '../../events/second-factor.js';
import {
  UserDeactivationNoticeRequested,
  UserEmailChanged,
  UserPasswordChanged,
} from '../../events/users.js';

/**
 * The events that cause an e-mail, one for each event. Each needs an {@link EmailTemplate}: the server does
 * not start without it.
 */
export const mailedEvents = [
  InvitationSent,
  InvitationRenewed,
  EmailChangeRequested,
  PasswordResetRequested,
  UserEmailChanged,
  UserPasswordChanged,
  UserDeactivationNoticeRequested,
  MissedMessagesMailed,
  SecondFactorEnabled,
  SecondFactorDisabled,
  SecondFactorRevoked,
  RecoveryCodeUsed,
] as const;
