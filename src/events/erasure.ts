import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { DraftDeleted, DraftsDiscarded, ReminderCancelled, ScheduledMessageCancelled } from './personal.js';
import { SavedSnippetDeleted } from './saved-snippets.js';

const id = z.number().int().positive();

/** Stream `erasures`. */
export const MessageErased = defineEvent({
  type: 'MessageErased',
  description: 'The key of a deleted message was destroyed: its text can never be read again.',
  schema: z.strictObject({
    messageId: id,
    /** Id of the key: the event that sent the message. */
    key: z.string(),
  }),
  example: { messageId: 41, key: '6f1d3d4c-4e0e-5f0a-9f43-2f8e3f0a7c11' },
});

/** Stream `erasures`. */
export const PersonErasureRequested = defineEvent({
  type: 'PersonErasureRequested',
  version: 2,
  description:
    'An operator requested that a person and everything that they wrote be erased. The erasure follows.',
  schema: z.strictObject({
    userId: id,
    /**
     * The operating system's account that ran the command. Null: recorded by an older version without this
     * field.
     */
    operator: z.string().nullable(),
  }),
  upcasts: { 1: (data) => ({ ...data, operator: null }) },
  example: { userId: 3, operator: 'root' },
});

/** Stream `erasures`. */
export const PersonErased = defineEvent({
  type: 'PersonErased',
  description:
    'The erasure of a person is complete: their key was destroyed, and no read model contains who they were or what they wrote.',
  schema: z.strictObject({ userId: id }),
  example: { userId: 3 },
});

/** Ids of the cases whose holds prevent the erasure. */
const caseIds = z.array(id).min(1);

/** Stream `erasures`. */
export const MessageErasureDeferred = defineEvent({
  type: 'MessageErasureDeferred',
  description:
    'A deleted message was not erased because of a legal hold. It is erased when the hold is lifted.',
  schema: z.strictObject({ messageId: id, caseIds }),
  example: { messageId: 41, caseIds: [1] },
});

/** Stream `erasures`. */
export const PersonErasureRefused = defineEvent({
  type: 'PersonErasureRefused',
  description: 'A person was not erased because a legal hold covers messages or records of theirs.',
  schema: z.strictObject({ userId: id, caseIds }),
  example: { userId: 3, caseIds: [1] },
});

/** The event by which something was deleted. */
const deletedBy = { stream: z.string(), revision: z.number().int().nonnegative() };

/** Stream `erasures`. */
export const BelongingErasureDeferred = defineEvent({
  type: 'BelongingErasureDeferred',
  description:
    'A deleted file or record was kept because of a legal hold. It is destroyed when the hold is lifted.',
  schema: z.strictObject({ ...deletedBy, caseIds }),
  example: { stream: 'uploads', revision: 5, caseIds: [1] },
});

/** Stream `erasures`. */
export const BelongingErased = defineEvent({
  type: 'BelongingErased',
  description: 'A deleted file or record that a legal hold had kept was destroyed.',
  schema: z.strictObject(deletedBy),
  example: { stream: 'uploads', revision: 5 },
});

/** Stream `erasures`. */
export const SecurityRecordsErased = defineEvent({
  type: 'SecurityRecordsErased',
  description:
    'Old security records (addresses and programs of log-ins and API keys) were erased, at the end of the retention period that the organization set.',
  schema: z.strictObject({
    /** The last event that was examined, as were all before it. */
    last: z.strictObject({ stream: z.string(), revision: z.number().int().nonnegative() }),
    /** How many events were erased. */
    count: z.number().int().nonnegative(),
  }),
  example: { last: { stream: 'security-3', revision: 5 }, count: 12 },
});

export const erasureEvents = [
  MessageErased,
  MessageErasureDeferred,
  PersonErasureRequested,
  PersonErased,
  PersonErasureRefused,
  BelongingErasureDeferred,
  BelongingErased,
  SecurityRecordsErased,
] as const;

export type ErasureEvent = EventOf<(typeof erasureEvents)[number]>;

/** The stream that records what was erased. */
export const ERASURES_STREAM = 'erasures';

/** Deletions of texts that are erased with them, where the organization's policy is to erase what people delete. */
export const personalDeletions = [
  DraftDeleted,
  DraftsDiscarded,
  ReminderCancelled,
  ScheduledMessageCancelled,
  SavedSnippetDeleted,
] as const;
