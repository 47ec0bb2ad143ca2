import { z } from 'zod';
import { defineEvent, isEvent, type DomainEvent, type EventOf } from '../kernel/event.js';

const cause = z.strictObject({
  /** Id of the event that the e-mail is about. */
  letterId: z.string(),
});

/** Stream `mail-<id of the event that the e-mail is about>`. */
export const MailSent = defineEvent({
  type: 'MailSent',
  description: 'An e-mail was handed to the mail server or written to the outbox.',
  schema: cause,
  example: { letterId: '0b1c6a52-6f0c-5c9e-9d0e-7f2b6e1d4a11' },
});

/** Stream `mail-<id>`. */
export const MailPostponed = defineEvent({
  type: 'MailPostponed',
  description: 'An e-mail could not be sent. It is tried again at a given time.',
  schema: z.strictObject({
    ...cause.shape,
    /** Milliseconds since the UNIX epoch. */
    retryAt: z.number().int(),
    /** A code of SMTP or of the network; never the server's reply, which may name the recipient. */
    reason: z.string(),
  }),
  example: {
    letterId: '0b1c6a52-6f0c-5c9e-9d0e-7f2b6e1d4a11',
    retryAt: 1_767_225_601_000,
    reason: 'ECONNREFUSED',
  },
});

/** The reason of {@link MailAbandoned} for an e-mail that is not needed any more. */
export const NOT_WANTED = 'not wanted any more';

/** Stream `mail-<id>`. */
export const MailAbandoned = defineEvent({
  type: 'MailAbandoned',
  description:
    'An e-mail will not be sent: it was rejected permanently, was too old, or was no longer needed when its turn came.',
  schema: z.strictObject({ ...cause.shape, reason: z.string() }),
  example: { letterId: '0b1c6a52-6f0c-5c9e-9d0e-7f2b6e1d4a11', reason: '550' },
});

/** Whether an e-mail failed for good; one that is not wanted any more did not fail. */
export function isFailedMail(event: DomainEvent): boolean {
  return isEvent(event, MailAbandoned) && event.data.reason !== NOT_WANTED;
}

export const mailEvents = [MailSent, MailPostponed, MailAbandoned] as const;
export type MailEvent = EventOf<(typeof mailEvents)[number]>;
