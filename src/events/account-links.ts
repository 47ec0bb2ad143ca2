import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const userId = z.number().int().positive();

/** Stream `user-<id>`. The link in the e-mail names the revision of this event. */
export const EmailChangeRequested = defineEvent({
  type: 'EmailChangeRequested',
  description:
    'A person requested a change of their e-mail address. It takes effect when they use the confirmation link sent to the new address.',
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
    'Somebody requested a password reset for an account. The link for it is sent to the e-mail address of the account.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

export const accountLinkEvents = [EmailChangeRequested, PasswordResetRequested] as const;

export type AccountLinkEvent = EventOf<(typeof accountLinkEvents)[number]>;
