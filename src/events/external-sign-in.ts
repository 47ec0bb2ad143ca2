import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

/** Stream `user-<id>`. Later sign-ins with the same identity record no event. */
export const ExternalIdentityLinked = defineEvent({
  type: 'ExternalIdentityLinked',
  description:
    'A person signed in with an identity of an external provider (OpenID Connect) that differs from the one of their previous sign-in.',
  schema: z.strictObject({
    userId: z.number().int().positive(),
    /** The provider. */
    issuer: z.string(),
    /** Keyed digest of issuer and subject: the person's id at the provider is not in the log. */
    subjectDigest: z.string(),
    /** Whether this sign-in created the account. */
    isRegistration: z.boolean(),
  }),
  example: { userId: 3, issuer: 'https://id.example.com/', subjectDigest: 'k3J9', isRegistration: false },
});

export const externalSignInEvents = [ExternalIdentityLinked] as const;

export type ExternalSignInEvent = EventOf<(typeof externalSignInEvents)[number]>;
