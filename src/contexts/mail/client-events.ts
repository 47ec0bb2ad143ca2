import type { MailEvent } from '../../events/mail.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** E-mails: clients see them in nobody's mailbox. */
export const mailMappers: Mappers<MailEvent> = {
  MailSent: noClientEvent,
  MailPostponed: noClientEvent,
  MailAbandoned: noClientEvent,
};
