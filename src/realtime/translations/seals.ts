import type { AuditEvent } from '../../audit/events.js';
import { noClientEvent, type Translations } from '../translation.js';

/** Seals, and who read the log, are for auditors. */
export const sealTranslations: Translations<AuditEvent> = {
  LogSealed: noClientEvent,
  LogAudited: noClientEvent,
};
