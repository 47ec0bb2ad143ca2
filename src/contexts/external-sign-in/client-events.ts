import type { ExternalSignInEvent } from '../../events/external-sign-in.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** How people sign in: clients are told of nobody's. */
export const externalSignInMappers: Mappers<ExternalSignInEvent> = {
  ExternalIdentityLinked: noClientEvent,
};
