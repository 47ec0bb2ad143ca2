import type { MailEvent } from '../../mail/events.js';
import { noClientEvent, type Translations } from '../translation.js';

/** Letters: clients see them in nobody's mailbox. */
export const mailTranslations: Translations<MailEvent> = {
  MailSent: noClientEvent,
  MailPostponed: noClientEvent,
  MailAbandoned: noClientEvent,
};
