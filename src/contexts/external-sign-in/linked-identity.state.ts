import type { ExternalSignInEvent } from '../../events/external-sign-in.js';
import type { Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { streamsOf } from '../../kernel/decision.js';
import { personalStream } from '../../events/personal.js';

/** Digest of the identity that a person last signed in with; null: never. */
export type LinkedIdentity = string | null;

/** Folds the last identity out of a person's stream. */
export const linkedIdentityFold: Fold<LinkedIdentity, RecordedEvent<ExternalSignInEvent>> = {
  snapshot: { name: 'linked-identity', version: 1 },
  initial: null,
  evolve: (linked, event) => (event.type === 'ExternalIdentityLinked' ? event.data.subjectDigest : linked),
};

/** The stream of a person, folded into the last identity. */
export const linkedIdentityOf = streamsOf(personalStream, linkedIdentityFold);
