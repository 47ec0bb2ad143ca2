import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const userId = z.number().int().positive();

/** Stream `user-<id>`. An e-mail follows. */
export const SecondFactorEnabled = defineEvent({
  type: 'SecondFactorEnabled',
  description:
    'A person set up a second factor: from now on, their password alone is not enough to log in. The secret is not in the log.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `user-<id>`. An e-mail follows. */
export const SecondFactorDisabled = defineEvent({
  type: 'SecondFactorDisabled',
  description: 'A person removed their second factor, with a code of it.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `user-<id>`. An e-mail follows. */
export const SecondFactorRevoked = defineEvent({
  type: 'SecondFactorRevoked',
  description: 'An owner removed the second factor of an account, for a person who could no longer use it.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `user-<id>`. An e-mail follows. */
export const RecoveryCodeUsed = defineEvent({
  type: 'RecoveryCodeUsed',
  description: 'Somebody used a recovery code instead of a code of their authenticator app.',
  schema: z.strictObject({
    userId,
    /** Number of unused recovery codes. */
    left: z.number().int().nonnegative(),
  }),
  example: { userId: 3, left: 9 },
});

export const secondFactorEvents = [
  SecondFactorEnabled,
  SecondFactorDisabled,
  SecondFactorRevoked,
  RecoveryCodeUsed,
] as const;

export type SecondFactorEvent = EventOf<(typeof secondFactorEvents)[number]>;
