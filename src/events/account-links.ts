import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const userId = z.number().int().positive();

/** Stream `user-<id>`. The link in the e-mail names the revision of this event. */
export const EmailChangeRequested = defineEvent({
  type: 'EmailChangeRequested',
  description: 'A person wants another address, and is to confirm it by a link that is mailed there.',
  schema: z.strictObject({
    userId,
    email: z.string(),
    /** Keyed digest of the address. */
    emailDigest: z.string(),
  }),
  erasable: { fields: ['email'], owner: (data) => data.userId, placeholder: { email: '' } },
  example: { userId: 3, email: 'ada.quill@example.com', emailDigest: '7d1e' },
});

/** Stream `user-<id>`. The link in the e-mail names the revision of this event. */
export const PasswordResetRequested = defineEvent({
  type: 'PasswordResetRequested',
  description:
    'Somebody wants to set another password for an account, and is to do it by a link that is mailed to it.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

export const accountLinkEvents = [EmailChangeRequested, PasswordResetRequested] as const;

export type AccountLinkEvent = EventOf<(typeof accountLinkEvents)[number]>;
