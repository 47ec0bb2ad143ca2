import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import type { JsonObject } from '../kernel/json.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Where an event is recorded. */
const place = z.strictObject({ stream: z.string(), revision: z.number().int().nonnegative() });

/**
 * Stream `seals`. It refers to events by stream and revision, which an export and import preserves, and never
 * by position.
 */
export const LogSealed = defineEvent({
  type: 'LogSealed',
  version: 2,
  description:
    'All earlier events of the log were sealed: a later change of their order, number or content can be detected.',
  schema: z.strictObject({
    /** How many events are sealed: all from the first one on, in log order, without the store's own. */
    size: z.number().int().positive(),
    /** The root of the Merkle tree (RFC 6962) whose leaves are the hashes of these events, 32 bytes each. */
    root: hash,
    /** The roots of the tree's complete subtrees, widest first: the next seal continues from them. */
    peaks: z.array(hash),
    /** The last sealed event. */
    last: place,
    /**
     * Ed25519 (RFC 8032) over the text `palimpsest seal`, a line feed, and the canonical JSON of the other
     * fields. The key is SPKI in DER; both are base64. Null: not signed.
     */
    signature: z.strictObject({ publicKey: z.string(), value: z.string() }).nullable(),
  }),
  example: {
    size: 2,
    root: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    peaks: ['5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
    last: { stream: 'groups', revision: 0 },
    signature: null,
  },
  upcasts: { 1: (data) => ({ ...data, signature: null }) },
});

/** Stream `tags`. */
export const TaggingStarted = defineEvent({
  type: 'TaggingStarted',
  description:
    'The tagging of events began: from this event on, every event has a tag that only the key of this server can make.',
  schema: z.strictObject({
    /** Identifies the key without revealing anything about it. */
    key: z.string(),
    /** The first event with a tag under this key; null: this one. */
    from: place.nullable(),
  }),
  example: { key: 'Wm2cAfP4Qmt9bq7wEo0n4A', from: null },
});

const id = z.number().int().nonnegative();

/** A log position, or a time in milliseconds since the UNIX epoch. */
const asOf = z.union([z.strictObject({ position: id }), z.strictObject({ time: z.number().int() })]);

/** What auditors can look at. */
const auditViews = [
  'log',
  'log-export',
  'history',
  'audience',
  'readers',
  'conversation',
  'conversation-changes',
  'comparison',
  'seals',
  'tree-head',
  'proof-bundle',
  'proof-download',
  'verification',
  'event',
  'past',
  'person',
  'channel',
  'case-size',
  'case-search',
  'case-export',
  'case-download',
] as const;

const parameterValue = z.union([z.string(), z.number(), z.null(), z.array(z.number())]);

/** Stream `audits`. */
export const LogAudited = defineEvent({
  type: 'LogAudited',
  version: 6,
  description: 'An auditor read what others wrote, or the log.',
  schema: z.strictObject({
    /** Null: an operator, on the command line. */
    userId: id.nullable(),
    /** The operating system's account that used the command line; null: the audit was over HTTP. */
    operator: z.string().nullable(),
    view: z.enum(auditViews),
    /** The filters of the audit; null: not filtered by that. */
    selection: z.strictObject({
      stream: z.string().nullable(),
      type: z.string().nullable(),
      actorId: id.nullable(),
      /** Whether the audit was about acts of the server itself, which is why `actorId` is null. */
      byServer: z.boolean(),
      messageId: id.nullable(),
      channelId: id.nullable(),
      after: id.nullable(),
      from: asOf.nullable(),
      to: asOf.nullable(),
      /** The person whose view of a message was requested; null: nobody's. */
      viewerId: id.nullable(),
    }),
    /** Other parameters of the audit, by name, but no texts of the reader. Absent: none. */
    asked: z.record(z.string(), parameterValue).optional(),
    /**
     * What the reader wrote: the words of a search, or the query of the past, which may name people. Absent: nothing, or in `asked`, where
     * older versions recorded it.
     */
    text: z.string().optional(),
  }),
  upcasts: {
    1: ({ selection, ...data }) => ({
      ...data,
      selection: { ...(selection as JsonObject), byServer: false, from: null, to: null, viewerId: null },
    }),
    // Version 3 has more views, and may have other parameters.
    2: (data) => data,
    // Version 4 has more views, and audits by operators.
    3: (data) => ({ ...data, operator: null }),
    // Version 5 may have a text.
    4: (data) => data,
    // Version 6 has more views.
    5: (data) => data,
  },
  erasable: { fields: ['text'], owner: (data) => data.userId, placeholder: { text: '(erased)' } },
  example: {
    userId: 3,
    operator: null,
    view: 'case-search',
    selection: {
      stream: null,
      type: null,
      actorId: null,
      byServer: false,
      messageId: null,
      channelId: null,
      after: null,
      from: null,
      to: null,
      viewerId: null,
    },
    asked: { caseId: 1 },
    text: 'delivery date',
  },
});

export const auditEvents = [LogSealed, TaggingStarted, LogAudited] as const;

/** The stream that records who read the log. */
export const AUDITS_STREAM = 'audits';

export type AuditEvent = EventOf<(typeof auditEvents)[number]>;

/** The stream of seals. */
export const SEALS_STREAM = 'seals';

/** The stream that says from which event on events have tags. */
export const TAGS_STREAM = 'tags';
