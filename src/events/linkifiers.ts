import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();

const linkifierSchema = z.strictObject({
  linkifierId: id,
  /** An RE2 expression with a named group for every variable of the template. */
  pattern: z.string(),
  /** RFC 6570. */
  urlTemplate: z.string(),
  /** A text that the pattern matches. */
  exampleInput: z.string().nullable(),
  /** Turns a link back into text: `{name}` stands for a group, `{{` and `}}` for braces. */
  reverseTemplate: z.string().nullable(),
  /** Other URL forms of such links, for clients that turn links back into text. */
  alternativeUrlTemplates: z.array(z.string()),
});

const example = {
  linkifierId: 2,
  pattern: '#(?P<id>[0-9]+)',
  urlTemplate: 'https://example.com/issues/{id}',
  exampleInput: '#1234',
  reverseTemplate: '#{id}',
  alternativeUrlTemplates: ['https://example.com/pulls/{id}'],
};

/** Stream `linkifiers`. Ids are the order in which they were added. */
export const LinkifierAdded = defineEvent({
  type: 'LinkifierAdded',
  description: 'A linkifier (a rule that makes links from texts) was added at the end of the list.',
  schema: linkifierSchema,
  example,
});

/** Stream `linkifiers`. */
export const LinkifierChanged = defineEvent({
  type: 'LinkifierChanged',
  description: 'A linkifier was replaced.',
  schema: linkifierSchema,
  example,
});

/** Stream `linkifiers`. */
export const LinkifierRemoved = defineEvent({
  type: 'LinkifierRemoved',
  description: 'A linkifier was removed. Links that it made stay.',
  schema: z.strictObject({ linkifierId: id }),
  example: { linkifierId: 2 },
});

/** Stream `linkifiers`. */
export const LinkifiersReordered = defineEvent({
  type: 'LinkifiersReordered',
  description: 'The order of the linkifiers was changed.',
  schema: z.strictObject({ linkifierIds: z.array(id) }),
  example: { linkifierIds: [2, 1] },
});

export const linkifierEvents = [
  LinkifierAdded,
  LinkifierChanged,
  LinkifierRemoved,
  LinkifiersReordered,
] as const;
export type LinkifierEvent = EventOf<(typeof linkifierEvents)[number]>;
