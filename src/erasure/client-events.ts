import type { ErasureEvent } from '../events/erasure.js';
import { noClientEvent, type Mappers } from '../realtime/mapper.js';

/** No client events: clients were told of the deletion or deactivation before. Their queues are cleaned of the erased texts. */
export const erasureMappers: Mappers<ErasureEvent> = {
  MessageErased: noClientEvent,
  MessageErasureDeferred: noClientEvent,
  PersonErasureRequested: noClientEvent,
  PersonErased: noClientEvent,
  PersonErasureRefused: noClientEvent,
  BelongingErasureDeferred: noClientEvent,
  BelongingErased: noClientEvent,
  SecurityRecordsErased: noClientEvent,
};
