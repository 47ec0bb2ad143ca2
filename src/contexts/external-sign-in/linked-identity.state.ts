import type { ExternalSignInEvent } from '../../events/external-sign-in.js';
import type { Fold } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { streamsOf } from '../../kernel/stream.js';
import { personalStream } from '../../events/personal-stream.js';

/** Digest of the identity that a person signed in by last; null: they never did. */
export type LinkedIdentity = string | null;

/** By which identity a person signed in last, by their own stream. */
export const linkedIdentityFold: Fold<LinkedIdentity, RecordedEvent<ExternalSignInEvent>> = {
  snapshot: { name: 'linked-identity', version: 1 },
  initial: null,
  evolve: (linked, event) => (event.type === 'ExternalIdentityLinked' ? event.data.subjectDigest : linked),
};

/** By which identity a person signed in last, by the person's id. */
export const linkedIdentityOf = streamsOf(personalStream, linkedIdentityFold);
