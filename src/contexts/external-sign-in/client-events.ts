import type { ExternalSignInEvent } from '../../events/external-sign-in.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** Clients get no events about how people sign in. */
export const externalSignInMappers: Mappers<ExternalSignInEvent> = {
  ExternalIdentityLinked: noClientEvent,
};
