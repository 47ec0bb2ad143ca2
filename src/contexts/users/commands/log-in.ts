import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { EmailLookup } from '../../../access/email-lookup.js';
import type { User } from '../../../access/records/user.js';
import type { RequestOrigin } from '../../../http/authentication/request-origin.js';
import { LoginAttempts } from '../../../http/limits/login-attempts.js';
import { networkOf } from '../../../http/limits/request-limits.js';
import { RateLimitError } from '../../../http/limits/rate-limiter.js';
import { ApplicationError, failure } from '../../../kernel/errors.js';
import { Admission, type LoggedIn } from '../admission.js';
import { Credentials } from '../credentials.js';
import { SecondFactorChanges } from '../second-factors.js';
import { FailedLogIns } from '../security/failed-log-ins.js';
import { WebTokens } from '../web-tokens.js';

/** The credentials for a log-in by password. */
interface LogInRequest {
  readonly username: string;
  readonly password: string;
  /** A code of the account's second factor; absent or empty: none was sent. */
  readonly second_factor?: string | null;
}

/** Exchanges a password for a new API key (`POST /fetch_api_key`). */
export class LogIn extends Command<LoggedIn> {
  constructor(
    readonly request: LogInRequest,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}

@CommandHandler(LogIn)
export class LogInHandler implements ICommandHandler<LogIn> {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly emails: EmailLookup,
    private readonly credentials: Credentials,
    private readonly attempts: LoginAttempts,
    private readonly admission: Admission,
    private readonly failures: FailedLogIns,
    private readonly factors: SecondFactorChanges,
  ) {}

  /**
   * Duration and error are the same for an unknown address as for a wrong password. Only a caller with the
   * right password learns whether the account has a second factor; a wrong code counts like a wrong password.
   *
   * @throws RateLimitError; ApplicationError `authenticationFailed`, `secondFactorRequired`,
   * `secondFactorWrong`, `userDeactivated`
   */
  async execute({ request, origin }: LogIn): Promise<LoggedIn> {
    const { username, password, second_factor: code = null } = request;
    const user = this.emails.find(this.follower.current(), username);
    const person = user?.bot === null ? user : null;
    this.begin(username, person, origin);
    const isRight = await this.credentials.isPassword(
      person?.id ?? null,
      password,
      networkOf(origin.address),
    );
    if (person === null || !isRight) {
      this.failures.note(person, { reason: 'wrong-password', ...origin });
      throw failure('authenticationFailed');
    }
    await this.prove(person, code, origin);
    this.attempts.succeed(username);
    return this.admission.admit(person, { method: 'password', origin });
  }

  private async prove(person: User, code: string | null, origin: RequestOrigin): Promise<void> {
    try {
      await this.factors.prove({ userId: person.id, client: origin.client }, code);
    } catch (error) {
      if (error instanceof ApplicationError && error.row === 'secondFactorWrong')
        this.failures.note(person, { reason: 'wrong-second-factor', ...origin });
      throw error;
    }
  }

  private begin(username: string, person: User | null, origin: RequestOrigin): void {
    try {
      this.attempts.begin(username);
    } catch (error) {
      if (error instanceof RateLimitError)
        this.failures.note(person, { reason: 'too-many-attempts', ...origin });
      throw error;
    }
  }
}

/** Exchanges a JSON Web Token for a new API key (`POST /jwt/fetch_api_key`). */
export class LogInWithToken extends Command<LoggedIn> {
  constructor(
    /** Empty: none was sent. */
    readonly token: string,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}

@CommandHandler(LogInWithToken)
export class LogInWithTokenHandler implements ICommandHandler<LogInWithToken> {
  constructor(
    private readonly tokens: WebTokens,
    private readonly follower: DirectoryFollower,
    private readonly emails: EmailLookup,
    private readonly admission: Admission,
  ) {}

  /**
   * @throws ApplicationError `webTokensNotConfigured`, `invalidWebToken`, `authenticationFailed` for an
   * address without a person's account, `userDeactivated`
   */
  async execute({ token, origin }: LogInWithToken): Promise<LoggedIn> {
    const email = await this.tokens.emailOf(token);
    const user = this.emails.findIdentical(this.follower.current(), email);
    if (user?.bot !== null) throw failure('authenticationFailed');
    return this.admission.admit(user, { method: 'web-token', origin });
  }
}
