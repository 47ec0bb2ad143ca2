import type { SecondFactorEvent } from '../../../events/second-factor.js';
import { noClientEvent, type Mappers } from '../../../realtime/mapper.js';

/** How people log in: clients are told of nobody's. */
export const secondFactorMappers: Mappers<SecondFactorEvent> = {
  SecondFactorEnabled: noClientEvent,
  SecondFactorDisabled: noClientEvent,
  SecondFactorRevoked: noClientEvent,
  RecoveryCodeUsed: noClientEvent,
};
