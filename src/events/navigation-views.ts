import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();

/** The fragment identifies the view: it may contain a topic, a person, or a search. */
const view = z.strictObject({ userId: id, viewId: id, fragment: z.string() });

/** Replaces a view whose key was destroyed. */
const erased = { fragment: '(erased)', name: '(erased)' } as const;

/** Stream `user-<id>`. A view's id is the revision of this event plus one. Built-in views have no name. */
export const NavigationViewAdded = defineEvent({
  type: 'NavigationViewAdded',
  description: 'Somebody pinned or hid a built-in view in their menu, or added a custom view.',
  schema: z.strictObject({ ...view.shape, isPinned: z.boolean(), name: z.string().nullable() }),
  erasable: { fields: ['fragment', 'name'], owner: ({ userId }) => userId, placeholder: erased },
  example: { userId: 3, viewId: 11, fragment: 'narrow/has/link', isPinned: true, name: 'Links' },
});

/** Stream `user-<id>`. Null: no change. */
export const NavigationViewChanged = defineEvent({
  type: 'NavigationViewChanged',
  description: 'Somebody pinned or hid a view in their menu, or renamed a custom view.',
  schema: z.strictObject({
    ...view.shape,
    isPinned: z.boolean().nullable(),
    name: z.string().nullable(),
  }),
  erasable: { fields: ['fragment', 'name'], owner: ({ userId }) => userId, placeholder: erased },
  example: { userId: 3, viewId: 11, fragment: 'narrow/has/link', isPinned: false, name: null },
});

/** Stream `user-<id>`. */
export const NavigationViewRemoved = defineEvent({
  type: 'NavigationViewRemoved',
  description:
    'Somebody removed a custom view from their menu, or reset a built-in view to the default of the client.',
  schema: view,
  erasable: {
    fields: ['fragment'],
    owner: ({ userId }) => userId,
    placeholder: { fragment: erased.fragment },
  },
  example: { userId: 3, viewId: 11, fragment: 'narrow/has/link' },
});

export const navigationViewEvents = [
  NavigationViewAdded,
  NavigationViewChanged,
  NavigationViewRemoved,
] as const;
export type NavigationViewEvent = EventOf<(typeof navigationViewEvents)[number]>;
