import type { MissedMessageEvent } from '../../events/missed-messages.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** What is told to people who are away reaches them by other ways. */
export const missedMessageMappers: Mappers<MissedMessageEvent> = {
  MessageMissed: noClientEvent,
  MissedMessagePushed: noClientEvent,
  MissedMessagesMailed: noClientEvent,
  MissedMessagesPassed: noClientEvent,
  NotificationsRemoved: noClientEvent,
};
