import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();

/** Name of the stream that holds what was done about a case; cases are numbered from 1 without a gap. */
export function caseStream(caseId: number): string {
  return `case-${caseId}`;
}

/**
 * Which messages a case is about, as far as that may stand in the clear: those that pass every part. An empty list, and null, let
 * everything through.
 */
export const caseScopeSchema = z.strictObject({
  /** Who sent them, or takes part in the direct conversation that they are in. */
  userIds: z.array(id),
  /** Channels that they lie in, or have lain in. */
  channelIds: z.array(id),
  /** Sent at or after this time; milliseconds since the UNIX epoch. */
  since: z.number().int().nullable(),
  /** Sent at or before this time. */
  until: z.number().int().nullable(),
});
export type CaseScope = z.infer<typeof caseScopeSchema>;

/** The operating system's account that asked for it on the command line. Null: whom the metadata names, over HTTP. */
const operator = z.string().nullable();

/** Words that one version of a message must hold, all of them. Null: whatever it says. */
const words = z.string().nullable();

const description = {
  name: z.string(),
  description: z.string(),
  scope: caseScopeSchema,
  words,
};

/** What stands in place of what auditors wrote, once its key is destroyed: a hold then covers no less than it did. */
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
  description: 'An auditor began a case: messages to be looked at, kept and handed out together.',
  schema: z.strictObject({ caseId: id, ...description, operator }),
  erasable: {
    fields: ['name', 'description', 'words'],
    owner: () => null,
    placeholder: erasedDescription,
  },
  example: { caseId: 1, ...exampleDescription, operator: null },
});

/** The id of the event that created the case: its key guards everything that is written about it. */
const caseKey = z.string();
const exampleKey = '6f1d3d4c-4e0e-5f0a-9f43-2f8e3f0a7c11';

/** Stream `case-<id>`. */
export const CaseChanged = defineEvent({
  type: 'CaseChanged',
  description: 'An auditor gave a case another name, description or scope.',
  schema: z.strictObject({ caseId: id, caseKey, ...description, operator }),
  erasable: {
    fields: ['name', 'description', 'words'],
    owner: () => null,
    key: (data) => data.caseKey,
    placeholder: erasedDescription,
  },
  example: { caseId: 1, caseKey: exampleKey, ...exampleDescription, operator: null },
});

/** Stream `case-<id>`. */
export const CaseHoldPlaced = defineEvent({
  type: 'CaseHoldPlaced',
  description:
    'A legal hold was placed on a case: the keys of what it covers are kept from here on, whoever deletes it.',
  schema: z.strictObject({ caseId: id, caseKey, scope: caseScopeSchema, words, operator }),
  erasable: {
    fields: ['words'],
    owner: () => null,
    key: (data) => data.caseKey,
    placeholder: { words: null },
  },
  example: { caseId: 1, caseKey: exampleKey, scope: exampleScope, words: null, operator: 'root' },
});

const named = z.strictObject({ caseId: id, operator });

/** Stream `case-<id>`. */
export const CaseHoldLifted = defineEvent({
  type: 'CaseHoldLifted',
  description: 'The legal hold on a case was lifted: what was to be erased meanwhile is erased next.',
  schema: named,
  example: { caseId: 1, operator: null },
});

/** Stream `case-<id>`. */
export const CaseClosed = defineEvent({
  type: 'CaseClosed',
  description: 'A case was closed: it can be read, and not changed any more.',
  schema: named,
  example: { caseId: 1, operator: null },
});

export const caseEvents = [CaseCreated, CaseChanged, CaseHoldPlaced, CaseHoldLifted, CaseClosed] as const;

export type CaseEvent = EventOf<(typeof caseEvents)[number]>;
