import { BasicStrategy } from 'passport-http';
import { failure } from '../../kernel/errors.js';
import type { Authenticator } from '../caller.js';

/** The realm that a 401 names; clients of this API expect this very word. */
export const REALM = 'zulip';

const KEY = /^[a-zA-Z0-9]{32}$/;

/** What the strategy knows of who was let in. */
export interface AuthenticatedUser {
  readonly userId: number;
}

/** Passport's strategy over an {@link Authenticator}. A malformed key is refused before anything is looked up. */
export function basicStrategy(authenticator: Authenticator): BasicStrategy {
  return new BasicStrategy({ realm: REALM }, (email, sent, done) => {
    const key = sent.trim();
    if (!KEY.test(key)) {
      done(failure('unauthorized', { reason: 'Malformed API key' }));
      return;
    }
    authenticator.authenticate(email, key).then(
      (userId) => done(null, { userId } satisfies AuthenticatedUser),
      (error: unknown) => done(error),
    );
  });
}
