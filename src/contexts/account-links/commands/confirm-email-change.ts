import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { failure } from '../../../kernel/errors.js';
import { Accounts } from '../../users/accounts.js';
import type { ActingAt } from '../../users/decisions.js';
import type { UserEvent } from '../../../events/users.js';
import { decideNewEmail } from '../../users/identity-changes.js';
import type { UserDirectory } from '../../users/user-directory.js';
import { AccountLinks, type FollowedLink } from '../account-links.js';
import { isOpen, type RequestedLinks } from '../requested-links.js';

/** Follows the link that was mailed to a new address. Answers the address. */
export class ConfirmEmailChange extends Command<string> {
  constructor(
    readonly token: string,
    /** Name of the client program. */
    readonly client: string,
  ) {
    super();
  }
}

/** @throws ApplicationError `linkInvalid`, or those of {@link decideNewEmail}: the address may be somebody’s by now */
export function decideConfirmEmailChange(
  state: UserDirectory,
  { userId, revision, links }: FollowedLink & { readonly links: RequestedLinks },
  { moment }: Pick<ActingAt, 'moment'>,
): readonly UserEvent[] {
  const user = state.users.get(userId);
  const { emailChange } = links;
  if (user?.isActive !== true || emailChange === null) throw failure('linkInvalid');
  if (!isOpen(emailChange, { revision, doneAt: user.emailChangedAt, now: moment.now })) {
    throw failure('linkInvalid');
  }
  const { email: sent, emailDigest } = emailChange;
  return decideNewEmail(state, { user, sent, emailDigest, moment });
}

@CommandHandler(ConfirmEmailChange)
export class ConfirmEmailChangeHandler implements ICommandHandler<ConfirmEmailChange> {
  constructor(
    private readonly accounts: Accounts,
    private readonly links: AccountLinks,
  ) {}

  async execute({ token, client }: ConfirmEmailChange): Promise<string> {
    const followed = this.links.follow('email-change', token);
    const { userId } = followed;
    const links = await this.links.of(userId);
    const [changed] = await this.accounts.decide({ userId, client }, (state, by) =>
      decideConfirmEmailChange(state, { ...followed, links }, by),
    );
    if (changed?.type !== 'UserEmailChanged') throw failure('linkInvalid');
    return changed.data.email;
  }
}
