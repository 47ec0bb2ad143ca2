import type { MissedMessageEvent } from '../../events/missed-messages.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** Clients get no events about missed-message notifications. */
export const missedMessageMappers: Mappers<MissedMessageEvent> = {
  MessageMissed: noClientEvent,
  MissedMessagePushed: noClientEvent,
  MissedMessagesMailed: noClientEvent,
  MissedMessagesPassed: noClientEvent,
  NotificationsRemoved: noClientEvent,
};
