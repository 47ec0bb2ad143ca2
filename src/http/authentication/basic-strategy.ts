import { BasicStrategy, type BasicVerifyFunction } from 'passport-http';
import { failure } from '../../kernel/errors.js';
import type { Authenticator } from '../caller.js';

/** The realm that a 401 names; clients of this API expect this very word. */
export const REALM = 'zulip';

const KEY = /^[a-zA-Z0-9]{32}$/;

/** What the strategy knows of who was let in. */
export interface AuthenticatedUser {
  readonly userId: number;
}

/** The methods that the caller of a strategy provides: see `runStrategy`. */
interface Outcome {
  success(user: unknown): void;
  fail(): void;
  error(error: unknown): void;
}

/**
 * Passport's strategy, but for how the header is decoded. Passport's own takes `new Buffer`, for which Node searches the stack of
 * calls, the first ten thousand times in a process: as long as all the rest of authentication takes.
 */
class DecodingStrategy extends BasicStrategy {
  constructor(private readonly verify: BasicVerifyFunction) {
    super({ realm: REALM }, verify);
  }

  override authenticate(this: this & Outcome, request: Parameters<BasicStrategy['authenticate']>[0]): void {
    const [email, key] = sentCredentials(request.headers.authorization);
    if (!email || !key) return this.fail();
    this.verify(email, key, (error: unknown, user: unknown) => {
      if (error) this.error(error);
      else this.success(user);
    });
  }
}

/** What Basic authentication sends: an address and a key, either of which may be missing. */
export function sentCredentials(
  authorization: string | undefined,
): readonly [email: string | undefined, key: string | undefined] {
  const [, encoded = ''] = (authorization ?? '').split(' ');
  const [email, key] = Buffer.from(encoded, 'base64').toString().split(':');
  return [email, key?.trim()];
}

/** Passport's strategy over an {@link Authenticator}. A malformed key is refused before anything is looked up. */
export function basicStrategy(authenticator: Authenticator): BasicStrategy {
  return new DecodingStrategy((email, key, done) => {
    if (!KEY.test(key)) {
      done(failure('malformedApiKey'));
      return;
    }
    authenticator.authenticate(email, key).then(
      (userId) => done(null, { userId } satisfies AuthenticatedUser),
      (error: unknown) => done(error),
    );
  });
}
