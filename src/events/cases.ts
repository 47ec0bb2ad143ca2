import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();

/** Name of the stream of a case; cases are numbered from 1 without a gap. */
export function caseStream(caseId: number): string {
  return `case-${caseId}`;
}

/**
 * The messages that a case covers, as far as this may be stored unencrypted: those that meet every condition.
 * An empty list, and null, are no condition.
 */
const caseScopeSchema = z.strictObject({
  /** Their senders, or participants of their direct conversation. */
  userIds: z.array(id),
  /** Channels that they lie in, or have lain in. */
  channelIds: z.array(id),
  /** Sent at or after this time, in milliseconds since the UNIX epoch. */
  since: z.number().int().nullable(),
  /** Sent at or before this time. */
  until: z.number().int().nullable(),
});
export type CaseScope = z.infer<typeof caseScopeSchema>;

/** The operating system's account that used the command line. Null: the actor of the metadata, over HTTP. */
const operator = z.string().nullable();

/** Words that a single version of a message must contain, all of them. Null: no condition. */
const words = z.string().nullable();

const description = {
  name: z.string(),
  description: z.string(),
  scope: caseScopeSchema,
  words,
};

/**
 * Replaces what auditors wrote once its key is destroyed; the hold then covers more messages, never fewer.
 */
const erasedDescription = { name: '(erased)', description: '', words: null } as const;

const exampleScope: CaseScope = { userIds: [3], channelIds: [1], since: 1_767_225_600_000, until: null };
const exampleDescription = {
  name: 'Engine dispute',
  description: 'Who promised what.',
  scope: exampleScope,
  words: 'delivery date',
};

/** Stream `case-<id>`. */
export const CaseCreated = defineEvent({
  type: 'CaseCreated',
  description: 'An auditor created a case: a set of messages to review, keep and export together.',
  schema: z.strictObject({ caseId: id, ...description, operator }),
  erasable: {
    fields: ['name', 'description', 'words'],
    owner: () => null,
    placeholder: erasedDescription,
  },
  example: { caseId: 1, ...exampleDescription, operator: null },
});

/** Id of the event that created the case: its key encrypts all texts about the case. */
const caseKey = z.string();
const EXAMPLE_KEY = '6f1d3d4c-4e0e-5f0a-9f43-2f8e3f0a7c11';

/** Stream `case-<id>`. */
export const CaseChanged = defineEvent({
  type: 'CaseChanged',
  description: 'An auditor changed the name, the description or the scope of a case.',
  schema: z.strictObject({ caseId: id, caseKey, ...description, operator }),
  erasable: {
    fields: ['name', 'description', 'words'],
    owner: () => null,
    key: (data) => data.caseKey,
    placeholder: erasedDescription,
  },
  example: { caseId: 1, caseKey: EXAMPLE_KEY, ...exampleDescription, operator: null },
});

/** Stream `case-<id>`. */
export const CaseHoldPlaced = defineEvent({
  type: 'CaseHoldPlaced',
  description:
    'A legal hold was placed on a case: from now on, the keys of the messages that it covers are kept, even if the messages are deleted.',
  schema: z.strictObject({ caseId: id, caseKey, scope: caseScopeSchema, words, operator }),
  erasable: {
    fields: ['words'],
    owner: () => null,
    key: (data) => data.caseKey,
    placeholder: { words: null },
  },
  example: { caseId: 1, caseKey: EXAMPLE_KEY, scope: exampleScope, words: null, operator: 'root' },
});

const named = z.strictObject({ caseId: id, operator });

/** Stream `case-<id>`. */
export const CaseHoldLifted = defineEvent({
  type: 'CaseHoldLifted',
  description: 'The legal hold on a case was lifted: what it kept from being erased is erased next.',
  schema: named,
  example: { caseId: 1, operator: null },
});

/** Stream `case-<id>`. */
export const CaseClosed = defineEvent({
  type: 'CaseClosed',
  description: 'A case was closed: it can still be read, but no longer changed.',
  schema: named,
  example: { caseId: 1, operator: null },
});

export const caseEvents = [CaseCreated, CaseChanged, CaseHoldPlaced, CaseHoldLifted, CaseClosed] as const;

export type CaseEvent = EventOf<(typeof caseEvents)[number]>;
