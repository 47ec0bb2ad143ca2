import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { RequestOrigin } from '../../../http/authentication/request-origin.js';
import { failure } from '../../../kernel/errors.js';
import { Admission, type LoggedIn } from '../admission.js';
import { EmailLookup } from '../../../access/email-lookup.js';
import { WebTokens } from '../web-tokens.js';

/** Exchanges a JSON Web Token for a new API key (`POST /jwt/fetch_api_key`). */
export class LogInWithToken extends Command<LoggedIn> {
  constructor(
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
    const user = this.emails.find(this.follower.current(), email);
    if (user?.bot !== null) throw failure('authenticationFailed');
    return this.admission.admit(user, { method: 'web-token', origin });
  }
}
