import type { AuditEvent } from '../../audit/events.js';
import { noClientEvent, type Translations } from '../translation.js';

/** Seals are for auditors. */
export const sealTranslations: Translations<AuditEvent> = { LogSealed: noClientEvent };
