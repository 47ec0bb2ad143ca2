import type { AuditEvent } from '../events/audit.js';
import { noClientEvent, type Mappers } from '../realtime/mapper.js';

/** Seals, tags, and who read the log, are for auditors. */
export const sealMappers: Mappers<AuditEvent> = {
  LogSealed: noClientEvent,
  TaggingStarted: noClientEvent,
  LogAudited: noClientEvent,
};
