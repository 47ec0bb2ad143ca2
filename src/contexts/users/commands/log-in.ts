import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { LoginAttempts } from '../../../http/limits/login-attempts.js';
import { failure } from '../../../kernel/errors.js';
import { Admission, type LoggedIn } from '../admission.js';
import { Credentials } from '../credentials.js';
import { EmailLookup } from '../email-lookup.js';
import { SecondFactorChanges } from '../second-factor-changes.js';

/** What somebody logs in with. */
export interface LogInRequest {
  readonly username: string;
  readonly password: string;
  /** A code of the account's second factor; absent or empty: none was sent. */
  readonly second_factor?: string | null;
}

/** Exchanges a password for a key of its own (facts, section 5, POST fetch_api_key). */
export class LogIn extends Command<LoggedIn> {
  constructor(
    readonly request: LogInRequest,
    /** Name of the client program. */
    readonly client: string,
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
    private readonly factors: SecondFactorChanges,
  ) {}

  /**
   * Takes as long, and answers the same, for an unknown address as for a wrong password. Only who knows the password learns whether the
   * account has a second factor; a wrong code counts as a wrong password does.
   *
   * @throws RateLimitError; ApplicationError `authenticationFailed`, `secondFactorRequired`, `secondFactorWrong`, `userDeactivated`
   */
  async execute({ request, client }: LogIn): Promise<LoggedIn> {
    const { username, password, second_factor: code = null } = request;
    this.attempts.begin(username);
    const user = this.emails.find(this.follower.current(), username);
    const person = user?.bot === null ? user : null;
    const isRight = await this.credentials.isPassword(person?.id ?? null, password);
    if (person === null || !isRight) throw failure('authenticationFailed');
    await this.factors.prove({ userId: person.id, client }, code);
    this.attempts.succeed(username);
    return this.admission.admit(person, client);
  }
}
