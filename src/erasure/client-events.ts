import type { ErasureEvent } from '../events/erasure.js';
import { NO_CLIENT_EVENT, type Mappers } from '../realtime/mapper.js';

/** No client events: clients were told of the deletion or deactivation before. Their queues are cleaned of the erased texts. */
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
