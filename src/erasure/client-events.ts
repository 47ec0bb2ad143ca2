import type { ErasureEvent } from '../events/erasure.js';
import { noClientEvent, type Mappers } from '../realtime/mapper.js';

/** Clients were told of the deletion, and of the deactivation; what their queues still hold of it is taken out of them. */
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
