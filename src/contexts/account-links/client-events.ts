import type { AccountLinkEvent } from '../../events/account-links.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** Requests that have to be confirmed by e-mail change nothing for clients before that. */
export const accountLinkMappers: Mappers<AccountLinkEvent> = {
  EmailChangeRequested: noClientEvent,
  PasswordResetRequested: noClientEvent,
};
