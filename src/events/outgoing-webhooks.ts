import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();
const call = { messageId: id, botId: id } as const;

/** The stream of what is asked of outgoing webhook bots. */
export const outgoingWebhooksStream = 'outgoing-webhooks';

/** Why a bot is told of a message. */
export const webhookTriggers = ['mention', 'direct_message'] as const;

/** Stream `outgoing-webhooks`. Its id stands in the request, which is sent again where nobody answers. */
export const OutgoingWebhookRequested = defineEvent({
  type: 'OutgoingWebhookRequested',
  description: 'A message is for an outgoing webhook bot: it is to be sent to where the bot is.',
  schema: z.strictObject({ ...call, trigger: z.enum(webhookTriggers) }),
  example: { messageId: 41, botId: 5, trigger: 'mention' },
});

/** Stream `outgoing-webhooks`. */
export const OutgoingWebhookUnanswered = defineEvent({
  type: 'OutgoingWebhookUnanswered',
  description: 'Nobody answered the request of an outgoing webhook bot: it is sent again a little later.',
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

/** Stream `outgoing-webhooks`. What the owner of the bot is told of it stands in the message to them. */
export const OutgoingWebhookFailed = defineEvent({
  type: 'OutgoingWebhookFailed',
  description: 'The request of an outgoing webhook bot came to nothing, and is not sent again.',
  schema: z.strictObject({
    ...call,
    /** In a few words, without anything that the other side said. */
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
