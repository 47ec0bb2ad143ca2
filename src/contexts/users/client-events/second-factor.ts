import type { SecondFactorEvent } from '../../../events/second-factor.js';
import { noClientEvent, type Mappers } from '../../../realtime/mapper.js';

/** Clients get no events about anybody's second factor. */
export const secondFactorMappers: Mappers<SecondFactorEvent> = {
  SecondFactorEnabled: noClientEvent,
  SecondFactorDisabled: noClientEvent,
  SecondFactorRevoked: noClientEvent,
  RecoveryCodeUsed: noClientEvent,
};
