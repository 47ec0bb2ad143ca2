import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();

/** Stream `user-<id>`. */
export const BotStorageChanged = defineEvent({
  type: 'BotStorageChanged',
  description: 'A bot stored values under keys of its own. They replace earlier values of these keys.',
  schema: z.strictObject({
    userId: id,
    entries: z.array(z.strictObject({ key: z.string(), value: z.string() })),
  }),
  erasable: { fields: ['entries'], owner: ({ userId }) => userId, placeholder: { entries: [] } },
  example: { userId: 5, entries: [{ key: 'last greeting', value: '"Hello"' }] },
});

/** Stream `user-<id>`. */
export const BotStorageCleared = defineEvent({
  type: 'BotStorageCleared',
  description: 'A bot removed stored values by their keys.',
  schema: z.strictObject({ userId: id, keys: z.array(z.string()) }),
  erasable: { fields: ['keys'], owner: ({ userId }) => userId, placeholder: { keys: [] } },
  example: { userId: 5, keys: ['last greeting'] },
});

export const botStorageEvents = [BotStorageChanged, BotStorageCleared] as const;
export type BotStorageEvent = EventOf<(typeof botStorageEvents)[number]>;
