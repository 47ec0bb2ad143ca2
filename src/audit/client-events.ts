import type { AuditEvent } from '../events/audit.js';
import type { CaseEvent } from '../events/cases.js';
import { noClientEvent, type Mappers } from '../realtime/mapper.js';

/** Seals, tags and accesses to the log are only for auditors. */
export const sealMappers: Mappers<AuditEvent> = {
  LogSealed: noClientEvent,
  TaggingStarted: noClientEvent,
  LogAudited: noClientEvent,
};

/** Cases are only for auditors. */
export const caseMappers: Mappers<CaseEvent> = {
  CaseCreated: noClientEvent,
  CaseChanged: noClientEvent,
  CaseHoldPlaced: noClientEvent,
  CaseHoldLifted: noClientEvent,
  CaseClosed: noClientEvent,
};
