import type { MailEvent } from '../../events/mail.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** Clients get no events about e-mails. */
export const mailMappers: Mappers<MailEvent> = {
  MailSent: noClientEvent,
  MailPostponed: noClientEvent,
  MailAbandoned: noClientEvent,
};
