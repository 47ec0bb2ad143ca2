import type { OutgoingWebhookEvent } from '../../events/outgoing-webhooks.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** Clients get the resulting messages, but no events about calls. */
export const outgoingWebhookMappers: Mappers<OutgoingWebhookEvent> = {
  OutgoingWebhookRequested: noClientEvent,
  OutgoingWebhookUnanswered: noClientEvent,
  OutgoingWebhookAnswered: noClientEvent,
  OutgoingWebhookFailed: noClientEvent,
};
