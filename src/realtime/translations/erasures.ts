import type { ErasureEvent } from '../../erasure/events.js';
import { noClientEvent, type Translations } from '../translation.js';

/** Clients were told when it was deleted. */
export const erasureTranslations: Translations<ErasureEvent> = {
  MessageErased: noClientEvent,
  PersonErased: noClientEvent,
};
