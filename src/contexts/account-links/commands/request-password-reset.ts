import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AfterReply } from '../../../http/after-reply.js';
import { Accounts } from '../../users/accounts.js';
import { EmailLookup } from '../../users/email-lookup.js';
import { AccountLinks } from '../account-links.js';
import type { AccountLinkEvent } from '../../../events/account-links.js';
import { waitForLetter, type RequestedLinks } from '../requested-links.js';

/** Asks for a letter with a link by which a password is set. What is answered does not say whether the address has an account. */
export class RequestPasswordReset extends Command<void> {
  constructor(
    readonly email: string,
    /** Name of the client program. */
    readonly client: string,
  ) {
    super();
  }
}

/** Nothing happens when the day has had its letters: whoever asks is not told. */
export function decideRequestPasswordReset(
  links: RequestedLinks,
  { userId, now }: { readonly userId: number; readonly now: number },
): readonly AccountLinkEvent[] {
  return waitForLetter(links, now) > 0 ? [] : [{ type: 'PasswordResetRequested', data: { userId } }];
}

@CommandHandler(RequestPasswordReset)
export class RequestPasswordResetHandler implements ICommandHandler<RequestPasswordReset> {
  constructor(
    private readonly accounts: Accounts,
    private readonly emails: EmailLookup,
    private readonly links: AccountLinks,
    private readonly afterReply: AfterReply,
  ) {}

  /** Somebody who is not logged in asks: nobody is the actor, and whether there is an account shows by the letter alone, not by the time. */
  execute({ email, client }: RequestPasswordReset): Promise<void> {
    this.afterReply.run(() => this.request(email, client));
    return Promise.resolve();
  }

  private async request(email: string, client: string): Promise<void> {
    const { directory, now } = this.accounts.moment();
    const user = this.emails.find(directory, email);
    if (user?.isActive !== true || user.bot !== null) return;
    await this.links.request({ userId: user.id, client, actorId: null }, (links) =>
      decideRequestPasswordReset(links, { userId: user.id, now }),
    );
  }
}
