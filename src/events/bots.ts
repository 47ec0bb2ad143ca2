import { z } from 'zod';
import { defineEvent } from '../kernel/event.js';

const userId = z.number().int().positive();
const channelId = z.number().int().positive();

/** Stream `users`. */
export const BotOwnerChanged = defineEvent({
  type: 'BotOwnerChanged',
  description: 'A bot got another owner.',
  schema: z.strictObject({ userId, ownerId: userId }),
  example: { userId: 5, ownerId: 3 },
});

/** Stream `users`. */
export const BotDefaultsChanged = defineEvent({
  type: 'BotDefaultsChanged',
  description: 'The defaults for requests of a bot were changed.',
  schema: z.strictObject({
    userId,
    /** Where it sends messages; null: nowhere. */
    sendingChannelId: channelId.nullable(),
    /** The channel whose messages its clients get; null: all. */
    registeringChannelId: channelId.nullable(),
    /** Whether its clients get the messages of every public channel. */
    allPublicChannels: z.boolean(),
  }),
  example: { userId: 5, sendingChannelId: 2, registeringChannelId: null, allPublicChannels: false },
});

/** The format of an outgoing webhook's requests: 1 is JSON, 2 a form in the format of another service. */
export const serviceInterfaces = [1, 2] as const;

/** Stream `users`. */
export const BotServiceChanged = defineEvent({
  type: 'BotServiceChanged',
  description: 'The URL or the format of the requests of an outgoing webhook bot was set.',
  schema: z.strictObject({
    userId,
    /** Empty: no requests are sent. */
    baseUrl: z.string(),
    interface: z.union([z.literal(serviceInterfaces[0]), z.literal(serviceInterfaces[1])]),
  }),
  erasable: { fields: ['baseUrl'], owner: (data) => data.userId, placeholder: { baseUrl: '' } },
  example: { userId: 5, baseUrl: 'https://looms.example.com/hook', interface: 1 },
});
