import type { AuditEvent } from '../events/audit.js';
import type { CaseEvent } from '../events/cases.js';
import { NO_CLIENT_EVENT, type Mappers } from '../realtime/mapper.js';

/** Seals, tags and accesses to the log are only for auditors. */
export const sealMappers: Mappers<AuditEvent> = {
  LogSealed: NO_CLIENT_EVENT,
  TaggingStarted: NO_CLIENT_EVENT,
  LogAudited: NO_CLIENT_EVENT,
};

/** Cases are only for auditors. */
export const caseMappers: Mappers<CaseEvent> = {
  CaseCreated: NO_CLIENT_EVENT,
  CaseChanged: NO_CLIENT_EVENT,
  CaseHoldPlaced: NO_CLIENT_EVENT,
  CaseHoldLifted: NO_CLIENT_EVENT,
  CaseClosed: NO_CLIENT_EVENT,
};
