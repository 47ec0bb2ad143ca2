import type { AccountLinkEvent } from '../../events/account-links.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** Requests that an e-mail is to confirm: until it is, nothing is other than it was. */
export const accountLinkMappers: Mappers<AccountLinkEvent> = {
  EmailChangeRequested: noClientEvent,
  PasswordResetRequested: noClientEvent,
};
