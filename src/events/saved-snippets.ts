import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();
const snippetName = z.strictObject({ userId: id, snippetId: id });

/** Replaces a snippet whose key was destroyed. */
const erased = { title: '(erased)', content: '(erased)' } as const;

/** Stream `user-<id>`. A snippet's id, unique for its owner, is the revision of this event plus one. */
export const SavedSnippetCreated = defineEvent({
  type: 'SavedSnippetCreated',
  description: 'Somebody saved a snippet: a text for use in messages.',
  schema: z.strictObject({ ...snippetName.shape, title: z.string(), content: z.string() }),
  erasable: { fields: ['title', 'content'], owner: ({ userId }) => userId, placeholder: erased },
  example: { userId: 3, snippetId: 10, title: 'Sign-off', content: 'Best,\nAda' },
});

/** Stream `user-<id>`. Null: no change. */
export const SavedSnippetChanged = defineEvent({
  type: 'SavedSnippetChanged',
  description: 'Somebody changed the title or the text of a saved snippet.',
  schema: z.strictObject({
    ...snippetName.shape,
    title: z.string().nullable(),
    content: z.string().nullable(),
  }),
  erasable: { fields: ['title', 'content'], owner: ({ userId }) => userId, placeholder: erased },
  example: { userId: 3, snippetId: 10, title: null, content: 'Yours,\nAda' },
});

/** Stream `user-<id>`. */
export const SavedSnippetDeleted = defineEvent({
  type: 'SavedSnippetDeleted',
  description: 'Somebody deleted a saved snippet.',
  schema: snippetName,
  example: { userId: 3, snippetId: 10 },
});

export const savedSnippetEvents = [SavedSnippetCreated, SavedSnippetChanged, SavedSnippetDeleted] as const;
export type SavedSnippetEvent = EventOf<(typeof savedSnippetEvents)[number]>;
