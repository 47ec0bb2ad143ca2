import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();
const call = { messageId: id, botId: id } as const;

/** The stream of requests to outgoing webhook bots. */
export const OUTGOING_WEBHOOKS_STREAM = 'outgoing-webhooks';

/** Why a bot gets a message. */
export const webhookTriggers = ['mention', 'direct_message'] as const;

/** Stream `outgoing-webhooks`. Its id is part of the request, which is retried if there is no response. */
export const OutgoingWebhookRequested = defineEvent({
  type: 'OutgoingWebhookRequested',
  description: 'A message triggered an outgoing webhook bot. A request is sent to the URL of the bot next.',
  schema: z.strictObject({ ...call, trigger: z.enum(webhookTriggers) }),
  example: { messageId: 41, botId: 5, trigger: 'mention' },
});

/** Stream `outgoing-webhooks`. */
export const OutgoingWebhookUnanswered = defineEvent({
  type: 'OutgoingWebhookUnanswered',
  description: 'The request of an outgoing webhook bot was not answered. It is sent again later.',
  schema: z.strictObject(call),
  example: { messageId: 41, botId: 5 },
});

/** Stream `outgoing-webhooks`. */
export const OutgoingWebhookAnswered = defineEvent({
  type: 'OutgoingWebhookAnswered',
  description: 'The request of an outgoing webhook bot was answered.',
  schema: z.strictObject(call),
  example: { messageId: 41, botId: 5 },
});

/** Stream `outgoing-webhooks`. Details are in the message to the bot's owner. */
export const OutgoingWebhookFailed = defineEvent({
  type: 'OutgoingWebhookFailed',
  description: 'The request of an outgoing webhook bot failed and is not sent again.',
  schema: z.strictObject({
    ...call,
    /** A short description without any text of the other side. */
    reason: z.string(),
  }),
  example: { messageId: 41, botId: 5, reason: 'status 500' },
});

export const outgoingWebhookEvents = [
  OutgoingWebhookRequested,
  OutgoingWebhookUnanswered,
  OutgoingWebhookAnswered,
  OutgoingWebhookFailed,
] as const;
export type OutgoingWebhookEvent = EventOf<(typeof outgoingWebhookEvents)[number]>;
