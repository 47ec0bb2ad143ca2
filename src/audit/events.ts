import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Stream `seals`. It names places by stream and revision, which an export and import keeps, and never by position. */
export const LogSealed = defineEvent({
  type: 'LogSealed',
  description:
    'Everything before was sealed: its order and number cannot be changed any more without being noticed.',
  schema: z.strictObject({
    /** How many events are sealed: all from the first one on, in log order, those of the store itself left out. */
    size: z.number().int().positive(),
    /** The root of the Merkle tree (RFC 6962) whose leaves are the hashes of these events, 32 bytes each. */
    root: hash,
    /** The roots of the tree's complete subtrees, widest first: what the next seal goes on from. */
    peaks: z.array(hash),
    /** The last event that is sealed. */
    last: z.strictObject({ stream: z.string(), revision: z.number().int().nonnegative() }),
  }),
  example: {
    size: 2,
    root: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    peaks: ['5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
    last: { stream: 'groups', revision: 0 },
  },
});

const id = z.number().int().nonnegative();

/** Stream `audits`. */
export const LogAudited = defineEvent({
  type: 'LogAudited',
  description: 'An owner read the log, or the whole life of a message, over HTTP.',
  schema: z.strictObject({
    userId: id,
    view: z.enum(['log', 'history']),
    /** What they asked for; null: they did not narrow it down so. */
    selection: z.strictObject({
      stream: z.string().nullable(),
      type: z.string().nullable(),
      actorId: id.nullable(),
      messageId: id.nullable(),
      channelId: id.nullable(),
      after: id.nullable(),
    }),
  }),
  example: {
    userId: 3,
    view: 'history',
    selection: { stream: null, type: null, actorId: null, messageId: 41, channelId: null, after: null },
  },
});

export const auditEvents = [LogSealed, LogAudited] as const;

/** The stream that records who read the log. */
export const auditsStream = 'audits';

export type AuditEvent = EventOf<(typeof auditEvents)[number]>;

/** The stream that holds the seals. */
export const sealsStream = 'seals';
