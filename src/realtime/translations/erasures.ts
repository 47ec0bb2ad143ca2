import type { ErasureEvent } from '../../erasure/events.js';
import { noClientEvent, type Translations } from '../translation.js';

/** Clients were told of the deletion, and of the deactivation; what their queues still hold of it is taken out of them. */
export const erasureTranslations: Translations<ErasureEvent> = {
  MessageErased: noClientEvent,
  PersonErasureRequested: noClientEvent,
  PersonErased: noClientEvent,
};
