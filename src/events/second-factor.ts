import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const userId = z.number().int().positive();

/** Stream `user-<id>`. An e-mail follows. */
export const SecondFactorEnabled = defineEvent({
  type: 'SecondFactorEnabled',
  description:
    'A person set up a second factor: from then on their password alone lets nobody in. Its secret is nowhere in the log.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `user-<id>`. An e-mail follows. */
export const SecondFactorDisabled = defineEvent({
  type: 'SecondFactorDisabled',
  description: 'A person took their second factor away, by a code of it.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `user-<id>`. An e-mail follows. */
export const SecondFactorRevoked = defineEvent({
  type: 'SecondFactorRevoked',
  description: 'An owner took the second factor of somebody away who could not use it any more.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `user-<id>`. An e-mail follows. */
export const RecoveryCodeUsed = defineEvent({
  type: 'RecoveryCodeUsed',
  description: 'Somebody used a recovery code in place of a code of their second factor.',
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
