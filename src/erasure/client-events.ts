import type { ErasureEvent } from '../events/erasure.js';
import { NO_CLIENT_EVENT, type Mappers } from '../realtime/mapper.js';

/**
 * No client events. Of an erased message, clients were told when it was deleted, and its text is removed from their queues. The erasure
 * of a person ends every queue that was registered before it, so clients register again and get the account as it is from then on.
 */
export const erasureMappers: Mappers<ErasureEvent> = {
  MessageErased: NO_CLIENT_EVENT,
  MessageErasureDeferred: NO_CLIENT_EVENT,
  PersonErasureRequested: NO_CLIENT_EVENT,
  PersonErased: NO_CLIENT_EVENT,
  PersonErasureRefused: NO_CLIENT_EVENT,
  BelongingErasureDeferred: NO_CLIENT_EVENT,
  BelongingErased: NO_CLIENT_EVENT,
  SecurityRecordsErased: NO_CLIENT_EVENT,
};
