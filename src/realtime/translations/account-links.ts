import type { AccountLinkEvent } from '../../account-links/events.js';
import { noClientEvent, type Translations } from '../translation.js';

/** Requests that a letter is to confirm: until it is, nothing is other than it was. */
export const accountLinkTranslations: Translations<AccountLinkEvent> = {
  EmailChangeRequested: noClientEvent,
  PasswordResetRequested: noClientEvent,
};
