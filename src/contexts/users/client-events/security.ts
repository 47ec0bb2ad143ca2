import type { SecondFactorEvent } from '../../../events/second-factor.js';
import type { SecurityEvent } from '../../../events/security.js';
import { noClientEvent, type Mappers } from '../../../realtime/mapper.js';

/** Security events are for auditors and for people's own exports; clients get none. */
export const securityMappers: Mappers<SecurityEvent> = {
  LoggedIn: noClientEvent,
  LogInFailed: noClientEvent,
  LogInFailuresCounted: noClientEvent,
  ApiKeyIssued: noClientEvent,
  ApiKeyEnded: noClientEvent,
  OwnDataExported: noClientEvent,
};

/** Clients get no events about anybody's second factor. */
export const secondFactorMappers: Mappers<SecondFactorEvent> = {
  SecondFactorEnabled: noClientEvent,
  SecondFactorDisabled: noClientEvent,
  SecondFactorRevoked: noClientEvent,
  RecoveryCodeUsed: noClientEvent,
};
