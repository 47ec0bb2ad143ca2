import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { User } from '../../../access/records/user.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { RequestOrigin } from '../../../http/authentication/request-origin.js';
import { LoginAttempts } from '../../../http/limits/login-attempts.js';
import { RateLimitError } from '../../../http/limits/rate-limiter.js';
import { failure } from '../../../kernel/errors.js';
import { Admission, type LoggedIn } from '../admission.js';
import { Credentials } from '../credentials.js';
import { EmailLookup } from '../email-lookup.js';
import { FailedLogIns } from '../security/failed-log-ins.js';

/** Exchanges a password for a key of its own (facts, section 5, POST fetch_api_key). */
export class LogIn extends Command<LoggedIn> {
  constructor(
    readonly request: { readonly username: string; readonly password: string },
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
  ) {}

  /**
   * Takes as long, and answers the same, for an unknown address as for a wrong password.
   *
   * @throws RateLimitError; ApplicationError `authenticationFailed`, `userDeactivated`
   */
  async execute({ request: { username, password }, origin }: LogIn): Promise<LoggedIn> {
    const user = this.emails.find(this.follower.current(), username);
    const person = user?.bot === null ? user : null;
    this.begin(username, person, origin);
    const isRight = await this.credentials.isPassword(person?.id ?? null, password);
    if (person === null || !isRight) {
      this.failures.note(person, { reason: 'wrong-password', ...origin });
      throw failure('authenticationFailed');
    }
    this.attempts.succeed(username);
    return this.admission.admit(person, { method: 'password', origin });
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
