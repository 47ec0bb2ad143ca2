import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

/** The reasons for reports, by the key that clients send, with their display names. */
export const reportTypes = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
} as const;
export type ReportType = keyof typeof reportTypes;
export const reportTypeKeys = Object.keys(reportTypes) as [ReportType, ...ReportType[]];

const id = z.number().int().positive();

/** Stream `reports`. */
export const MessageReported = defineEvent({
  type: 'MessageReported',
  description: 'A message was reported to the moderators. They are told in their channel.',
  schema: z.strictObject({
    messageId: id,
    reporterId: id,
    reportType: z.enum(reportTypeKeys),
    /** The reporter's explanation; empty: none. */
    explanation: z.string(),
  }),
  erasable: {
    fields: ['explanation'],
    owner: (data) => data.reporterId,
    placeholder: { explanation: '' },
  },
  example: { messageId: 41, reporterId: 3, reportType: 'spam', explanation: 'The third one today.' },
});

export const reportEvents = [MessageReported] as const;
export type ReportEvent = EventOf<(typeof reportEvents)[number]>;
