import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AfterReply } from '../../../http/after-reply.js';
import { Decisions } from '../../../http/decisions.js';
import { EmailLookup } from '../../../access/email-lookup.js';
import { AccountLinks } from '../account-links.js';
import {
  decideRequestPasswordReset,
  decideResetPassword,
  decideConfirmEmailChange,
} from '../account-links.decide.js';
import { failure } from '../../../kernel/errors.js';
import { Credentials } from '../../users/credentials.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { requestedLinksOf } from '../requested-links.state.js';
import type { UserEvent } from '../../../events/users.js';
import { PasswordPolicy } from '../../users/password-policy.js';
import { foldedUsers, type UserDirectory } from '../../users/users.state.js';

/** Asks for an e-mail with a link by which a password is set. What is answered does not say whether the address has an account. */
export class RequestPasswordReset extends Command<void> {
  constructor(
    readonly email: string,
    /** Name of the client program. */
    readonly client: string,
  ) {
    super();
  }
}

@CommandHandler(RequestPasswordReset)
export class RequestPasswordResetHandler implements ICommandHandler<RequestPasswordReset> {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
    private readonly afterReply: AfterReply,
  ) {}

  /** Somebody who is not logged in asks: nobody is the actor, and whether there is an account shows by the e-mail alone, not by the time. */
  execute({ email, client }: RequestPasswordReset): Promise<void> {
    this.afterReply.run(() => this.request(email, client));
    return Promise.resolve();
  }

  private async request(email: string, client: string): Promise<void> {
    const { directory, now } = this.decisions.snapshot();
    const user = this.emails.find(directory, email);
    if (user?.isActive !== true || user.bot !== null) return;
    const metadata = requestMetadata({ userId: null, client }, now);
    await this.decisions.decideAs(metadata, requestedLinksOf(user.id), (links) =>
      decideRequestPasswordReset(links, { userId: user.id, now }),
    );
  }
}

/**
 * Sets a password by the link that was mailed to the account, and revokes every key of it: whoever lost control of their account
 * gets it back. A change in the settings, by who knows the password, leaves the keys.
 */
export class ResetPassword extends Command<void> {
  constructor(
    readonly request: { readonly token: string; readonly password: string },
    /** Name of the client program. */
    readonly client: string,
  ) {
    super();
  }
}

@CommandHandler(ResetPassword)
export class ResetPasswordHandler implements ICommandHandler<ResetPassword> {
  constructor(
    private readonly decisions: Decisions,
    private readonly credentials: Credentials,
    private readonly links: AccountLinks,
    private readonly policy: PasswordPolicy,
  ) {}

  /**
   * The link is used up before the password is set, so that of two who follow it at once one sets it. Whoever is cut off
   * between the two asks for another link.
   */
  async execute({ request: { token, password }, client }: ResetPassword): Promise<void> {
    const followed = this.links.follow('password-reset', token);
    const { userId } = followed;
    const links = await this.decisions.load(requestedLinksOf(userId));
    const decide = (state: UserDirectory): readonly UserEvent[] =>
      decideResetPassword(state, { ...followed, links }, { snapshot: this.decisions.snapshot() });
    const state = await this.decisions.load(foldedUsers);
    decide(state);
    const user = state.users.get(userId);
    if (user === undefined) throw failure('linkInvalid');
    await this.policy.assertAcceptable(password, user);
    const metadata = requestMetadata({ userId, client }, this.decisions.snapshot().now);
    await this.decisions.decideAs(metadata, foldedUsers, decide);
    // Whoever lost control of the account gets it back: nobody stays logged in.
    await this.credentials.revokeKeys([userId]);
    await this.credentials.setPassword(userId, password);
    // A log-in by the old password may have come between the two.
    await this.credentials.revokeKeys([userId]);
  }
}

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

@CommandHandler(ConfirmEmailChange)
export class ConfirmEmailChangeHandler implements ICommandHandler<ConfirmEmailChange> {
  constructor(
    private readonly decisions: Decisions,
    private readonly links: AccountLinks,
  ) {}

  async execute({ token, client }: ConfirmEmailChange): Promise<string> {
    const followed = this.links.follow('email-change', token);
    const { userId } = followed;
    const links = await this.decisions.load(requestedLinksOf(userId));
    const snapshot = this.decisions.snapshot();
    const metadata = requestMetadata({ userId, client }, snapshot.now);
    const {
      events: [changed],
    } = await this.decisions.decideAs(metadata, foldedUsers, (state) =>
      decideConfirmEmailChange(state, { ...followed, links }, { snapshot }),
    );
    if (changed?.type !== 'UserEmailChanged') throw failure('linkInvalid');
    return changed.data.email;
  }
}
