import type { SecurityEvent } from '../../../events/security.js';
import { noClientEvent, type Mappers } from '../../../realtime/mapper.js';

/** Auditors read them, and people their own in what they download; no client is told. */
export const securityMappers: Mappers<SecurityEvent> = {
  LoggedIn: noClientEvent,
  LogInFailed: noClientEvent,
  LogInFailuresCounted: noClientEvent,
  ApiKeyIssued: noClientEvent,
  ApiKeyEnded: noClientEvent,
  OwnDataExported: noClientEvent,
};
