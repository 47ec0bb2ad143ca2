import { BasicStrategy, type BasicVerifyFunction } from 'passport-http';
import { failure } from '../../kernel/errors.js';
import type { Authenticator } from '../caller.js';

/** The realm of a 401 response; clients of this API expect exactly this name. */
export const REALM = 'zulip';

const keyForm = /^[a-zA-Z0-9]{32}$/;

/** What the strategy returns for an authenticated account. */
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
 * Passport's strategy with another way of decoding the header. Passport's own uses `new Buffer`, for which
 * Node inspects the call stack the first ten thousand times in a process: that takes as long as the rest of
 * authentication.
 */
class DecodingStrategy extends BasicStrategy {
  constructor(private readonly verify: BasicVerifyFunction) {
    super({ realm: REALM }, verify);
  }

  override authenticate(this: this & Outcome, request: Parameters<BasicStrategy['authenticate']>[0]): void {
    const [email, key] = credentialsIn(request.headers.authorization);
    if (!email || !key) return this.fail();
    this.verify(email, key, (error: unknown, user: unknown) => {
      if (error) this.error(error);
      else this.success(user);
    });
  }
}

/** The address and key of a Basic header, either of which may be missing. */
export function credentialsIn(
  authorization: string | undefined,
): readonly [email: string | undefined, key: string | undefined] {
  const [, encoded = ''] = (authorization ?? '').split(' ');
  const [email, key] = Buffer.from(encoded, 'base64').toString().split(':');
  return [email, key?.trim()];
}

/** Passport's strategy over an {@link Authenticator}. A malformed key is refused before any look-up. */
export function basicStrategy(authenticator: Authenticator): BasicStrategy {
  return new DecodingStrategy((email, key, done) => {
    if (!keyForm.test(key)) {
      done(failure('malformedApiKey'));
      return;
    }
    authenticator.authenticate(email, key).then(
      (userId) => done(null, { userId } satisfies AuthenticatedUser),
      (error: unknown) => done(error),
    );
  });
}
