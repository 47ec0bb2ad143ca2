import { z } from 'zod';
import { defineEvent, type ErasableFields, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();

/** Topic visibility policies, by the numbers of the API. */
export const visibilityPolicies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export const visibilityPolicySchema = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);
export type VisibilityPolicy = z.infer<typeof visibilityPolicySchema>;

/** Stream `user-<user id>`, like all events of this file. */
export const TopicVisibilityChanged = defineEvent({
  type: 'TopicVisibilityChanged',
  description:
    'A person set their visibility policy of a topic: muted, unmuted or followed, or none (0), which means that the settings of the channel apply.',
  schema: z.strictObject({ userId: id, channelId: id, topic: z.string(), policy: visibilityPolicySchema }),
  example: { userId: 3, channelId: 1, topic: 'engines', policy: 3 },
});

export const PersonMuted = defineEvent({
  type: 'PersonMuted',
  description:
    'A person muted another person. Later messages of the muted person are marked as read when they arrive.',
  schema: z.strictObject({ userId: id, mutedUserId: id }),
  example: { userId: 3, mutedUserId: 4 },
});

export const PersonUnmuted = defineEvent({
  type: 'PersonUnmuted',
  description: 'A person no longer mutes another.',
  schema: z.strictObject({ userId: id, mutedUserId: id }),
  example: { userId: 3, mutedUserId: 4 },
});

const words = z.strictObject({ userId: id, words: z.array(z.string()) });
const erasable: ErasableFields<z.infer<typeof words>> = {
  fields: ['words'],
  owner: ({ userId }) => userId,
  placeholder: { words: [] },
};

export const AlertWordsAdded = defineEvent({
  type: 'AlertWordsAdded',
  description: 'A person added alert words: they are notified of messages that contain one of them.',
  schema: words,
  erasable,
  example: { userId: 3, words: ['engine', 'note G'] },
});

export const AlertWordsRemoved = defineEvent({
  type: 'AlertWordsRemoved',
  description: 'A person removed alert words.',
  schema: words,
  erasable,
  example: { userId: 3, words: ['engine'] },
});

export const attentionEvents = [
  TopicVisibilityChanged,
  PersonMuted,
  PersonUnmuted,
  AlertWordsAdded,
  AlertWordsRemoved,
] as const;

export type AttentionEvent = EventOf<(typeof attentionEvents)[number]>;
