import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { LoginAttempts } from '../../../http/limits/login-attempts.js';
import { failure } from '../../../kernel/errors.js';
import { Admission, type LoggedIn } from '../admission.js';
import { Credentials } from '../credentials.js';
import { EmailLookup } from '../email-lookup.js';

/** Exchanges a password for a key of its own (facts, section 5, POST fetch_api_key). */
export class LogIn extends Command<LoggedIn> {
  constructor(
    readonly request: { readonly username: string; readonly password: string },
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
  ) {}

  /**
   * Takes as long, and answers the same, for an unknown address as for a wrong password.
   *
   * @throws RateLimitError; ApplicationError `authenticationFailed`, `userDeactivated`
   */
  async execute({ request: { username, password }, client }: LogIn): Promise<LoggedIn> {
    this.attempts.begin(username);
    const user = this.emails.find(this.follower.current(), username);
    const person = user?.bot === null ? user : null;
    const isRight = await this.credentials.isPassword(person?.id ?? null, password);
    if (person === null || !isRight) throw failure('authenticationFailed');
    this.attempts.succeed(username);
    return this.admission.admit(person, client);
  }
}
