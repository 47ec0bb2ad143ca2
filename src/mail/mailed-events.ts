import { InvitationRenewed, InvitationSent } from '../invitations/events.js';
import { EmailChangeRequested, PasswordResetRequested } from '../account-links/events.js';
import type { AnyEventDefinition } from '../kernel/event.js';
import { MissedMessagesMailed } from '../missed-messages/events.js';
import { UserEmailChanged } from '../users/events.js';

/**
 * The events because of which somebody is written a letter: one for each event. Each has a {@link LetterWriter}: the
 * server does not start without.
 */
export const mailedEvents: readonly AnyEventDefinition[] = [
  InvitationSent,
  InvitationRenewed,
  EmailChangeRequested,
  PasswordResetRequested,
  UserEmailChanged,
  MissedMessagesMailed,
];
