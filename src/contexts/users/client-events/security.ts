import type { SecondFactorEvent } from '../../../events/second-factor.js';
import type { SecurityEvent } from '../../../events/security.js';
import { NO_CLIENT_EVENT, type Mappers } from '../../../realtime/mapper.js';

/** Security events are for auditors and for people's own exports; clients get none. */
export const securityMappers: Mappers<SecurityEvent> = {
  LoggedIn: NO_CLIENT_EVENT,
  LogInFailed: NO_CLIENT_EVENT,
  LogInFailuresCounted: NO_CLIENT_EVENT,
  ApiKeyIssued: NO_CLIENT_EVENT,
  ApiKeyEnded: NO_CLIENT_EVENT,
  OwnDataExported: NO_CLIENT_EVENT,
};

/** Clients get no events about anybody's second factor. */
export const secondFactorMappers: Mappers<SecondFactorEvent> = {
  SecondFactorEnabled: NO_CLIENT_EVENT,
  SecondFactorDisabled: NO_CLIENT_EVENT,
  SecondFactorRevoked: NO_CLIENT_EVENT,
  RecoveryCodeUsed: NO_CLIENT_EVENT,
};
