import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { failure } from '../../kernel/errors.js';
import { Accounts } from '../../users/accounts.js';
import { Credentials } from '../../users/credentials.js';
import type { ActingAt } from '../../users/decisions.js';
import type { UserEvent } from '../../users/events.js';
import { assertAcceptablePassword } from '../../users/password.js';
import type { UserDirectory } from '../../users/user-directory.js';
import { AccountLinks, type FollowedLink } from '../account-links.js';
import { isOpen, type RequestedLinks } from '../requested-links.js';

/** Sets a password by the link that was mailed to the account. Keys that are live stay so, as with any change of a password. */
export class ResetPassword extends Command<void> {
  constructor(
    readonly request: { readonly token: string; readonly password: string },
    /** Name of the client program. */
    readonly client: string,
  ) {
    super();
  }
}

/** @throws ApplicationError `linkInvalid` */
export function decideResetPassword(
  state: UserDirectory,
  { userId, revision, links }: FollowedLink & { readonly links: RequestedLinks },
  { moment: { now } }: Pick<ActingAt, 'moment'>,
): readonly UserEvent[] {
  const user = state.users.get(userId);
  if (user?.isActive !== true) throw failure('linkInvalid');
  const { passwordChangedAt: doneAt } = user;
  if (!isOpen(links.passwordReset, { revision, doneAt, now })) throw failure('linkInvalid');
  return [{ type: 'UserPasswordChanged', data: { userId } }];
}

@CommandHandler(ResetPassword)
export class ResetPasswordHandler implements ICommandHandler<ResetPassword> {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
    private readonly links: AccountLinks,
  ) {}

  /**
   * The link is used up before the password is set, so that of two who follow it at once one sets it. Whoever is cut off
   * between the two asks for another link.
   */
  async execute({ request: { token, password }, client }: ResetPassword): Promise<void> {
    const followed = this.links.follow('password-reset', token);
    assertAcceptablePassword(password);
    const { userId } = followed;
    const links = await this.links.of(userId);
    await this.accounts.decide({ userId, client }, (state, by) =>
      decideResetPassword(state, { ...followed, links }, by),
    );
    await this.credentials.setPassword(userId, password);
  }
}
