import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();

/** What kind of place a draft is addressed to; empty while its writer has chosen none. */
export const draftTypes = ['', 'stream', 'private'] as const;

const draft = z.strictObject({
  userId: id,
  draftId: id,
  type: z.enum(draftTypes),
  /** One channel, or people. */
  to: z.array(id),
  topic: z.string(),
  content: z.string(),
  /** When the client last changed it: seconds since the UNIX epoch. */
  timestamp: z.number().int(),
});
type DraftData = z.infer<typeof draft>;

const exampleDraft: DraftData = {
  userId: 3,
  draftId: 7,
  type: 'stream',
  to: [1],
  topic: 'engines',
  content: 'Note G is alm',
  timestamp: 1_767_225_600,
};

/** What stands in place of a draft whose key was destroyed. */
const erasedDraft = { topic: '', content: '(erased)' } as const;

/** Stream `user-<id>`. A draft's id is the revision of this event plus one: a name among its writer's drafts. */
export const DraftSaved = defineEvent({
  type: 'DraftSaved',
  description: 'Somebody began a message and left it unsent.',
  schema: draft,
  erasable: { fields: ['topic', 'content'], owner: (data) => data.userId, placeholder: erasedDraft },
  example: exampleDraft,
});

/** Stream `user-<id>`. */
export const DraftChanged = defineEvent({
  type: 'DraftChanged',
  description: 'Somebody changed a draft of theirs.',
  schema: draft,
  erasable: { fields: ['topic', 'content'], owner: (data) => data.userId, placeholder: erasedDraft },
  example: exampleDraft,
});

/** Stream `user-<id>`. */
export const DraftDeleted = defineEvent({
  type: 'DraftDeleted',
  description: 'Somebody threw a draft of theirs away, or sent it.',
  schema: z.strictObject({ userId: id, draftId: id }),
  example: { userId: 3, draftId: 7 },
});

export const draftEvents = [DraftSaved, DraftChanged, DraftDeleted] as const;
export type DraftEvent = EventOf<(typeof draftEvents)[number]>;

export const personalEvents = [...draftEvents] as const;
export type PersonalEvent = EventOf<(typeof personalEvents)[number]>;
