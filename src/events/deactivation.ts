import { z } from 'zod';
import { defineEvent } from '../kernel/event.js';

const userId = z.number().int().positive();

/** Stream `users`. */
export const UserDeactivated = defineEvent({
  type: 'UserDeactivated',
  description: 'An account was deactivated, and all of its API keys were revoked.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/**
 * Stream `users`. The data of a deactivated person that an administrator wants deleted; a process manager
 * deletes the messages.
 */
export const UserDeletionRequested = defineEvent({
  type: 'UserDeletionRequested',
  description:
    'With the deactivation of an account, the deletion of its profile or of its messages was requested.',
  schema: z.strictObject({
    userId,
    /** Name and picture. */
    profile: z.boolean(),
    publicChannelMessages: z.boolean(),
    privateChannelMessages: z.boolean(),
    directMessages: z.boolean(),
  }),
  example: {
    userId: 3,
    profile: true,
    publicChannelMessages: false,
    privateChannelMessages: true,
    directMessages: true,
  },
});

/** Stream `users`. */
export const UserDeactivationNoticeRequested = defineEvent({
  type: 'UserDeactivationNoticeRequested',
  description: 'With the deactivation of an account, an e-mail to the person was requested.',
  schema: z.strictObject({
    userId,
    /** Comment in the e-mail; empty: none. */
    comment: z.string(),
  }),
  erasable: { fields: ['comment'], owner: (data) => data.userId, placeholder: { comment: '' } },
  example: { userId: 3, comment: 'Thank you for the looms.' },
});

/** Stream `users`. */
export const UserReactivated = defineEvent({
  type: 'UserReactivated',
  description: 'A deactivated account was made active again.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});
