import type { MissedMessageEvent } from '../../missed-messages/events.js';
import { noClientEvent, type Translations } from '../translation.js';

/** What is told to people who are away reaches them by other ways. */
export const missedMessageTranslations: Translations<MissedMessageEvent> = {
  MessageMissed: noClientEvent,
  MissedMessagePushed: noClientEvent,
  MissedMessagesMailed: noClientEvent,
  MissedMessagesPassed: noClientEvent,
};
