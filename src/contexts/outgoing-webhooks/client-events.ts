import type { OutgoingWebhookEvent } from '../../events/outgoing-webhooks.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** What comes of it is told of as the messages that follow. */
export const outgoingWebhookMappers: Mappers<OutgoingWebhookEvent> = {
  OutgoingWebhookRequested: noClientEvent,
  OutgoingWebhookUnanswered: noClientEvent,
  OutgoingWebhookAnswered: noClientEvent,
  OutgoingWebhookFailed: noClientEvent,
};
