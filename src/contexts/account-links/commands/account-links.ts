import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EmailLookup } from '../../../access/email-lookup.js';
import type { UserEvent } from '../../../events/users.js';
import { AfterReply } from '../../../http/after-reply.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { Credentials } from '../../users/credentials.js';
import { PasswordPolicy } from '../../users/password-policy.js';
import { foldedUsers, type UserDirectory } from '../../users/users.state.js';
import { AccountLinks } from '../account-links.js';
import {
  decideConfirmEmailChange,
  decideRequestEmailChange,
  decideRequestPasswordReset,
  decideResetPassword,
  type EmailChangeContext,
  type WantedEmail,
} from '../account-links.decide.js';
import { requestedLinksOf } from '../requested-links.state.js';

/** Requests changes of people's addresses. */
@Injectable()
export class EmailChange {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
  ) {}

  /** @throws ApplicationError with which {@link request} would refuse the change */
  async check({ userId }: Pick<Caller, 'userId'>, sent: string): Promise<void> {
    const context = await this.context();
    const links = await this.decisions.load(requestedLinksOf(userId));
    decideRequestEmailChange(links, this.wanted(userId, sent), context);
  }

  /** @throws ApplicationError those of {@link decideRequestEmailChange} */
  async request(caller: Caller, sent: string): Promise<void> {
    const { userId } = caller;
    const context = await this.context();
    await this.decisions.decide(caller, requestedLinksOf(userId), (links) =>
      decideRequestEmailChange(links, this.wanted(userId, sent), context),
    );
  }

  private async context(): Promise<EmailChangeContext> {
    return { state: await this.decisions.load(foldedUsers), snapshot: this.decisions.snapshot() };
  }

  private wanted(userId: number, sent: string): WantedEmail {
    return { userId, sent, emailDigest: this.emails.digest(sent) };
  }
}

/**
 * Requests an e-mail with a link by which a password is set. The reply does not reveal whether the address
 * has an account.
 */
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

  /**
   * The actor is null, because nobody is logged in. Only the e-mail reveals whether there is an account, not
   * the duration of the reply.
   */
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
 * Sets a password by the link that was mailed to the account, and revokes all of its keys, so that people who
 * lost control of their account get it back. Changing a known password in the settings keeps the keys.
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
   * The link is used up before the password is set, so that only one of two concurrent requests sets it. If
   * the command is interrupted in between, another link can be requested.
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
    await this.policy.assertAcceptable(password, user, `account ${userId}`);
    const metadata = requestMetadata({ userId, client }, this.decisions.snapshot().now);
    await this.decisions.decideAs(metadata, foldedUsers, decide);
    // Nobody stays logged in to an account whose owner lost control of it.
    await this.credentials.revokeKeys([userId]);
    await this.credentials.setPassword(userId, password);
    // A log-in with the old password may have happened in between.
    await this.credentials.revokeKeys([userId]);
  }
}

/** Confirms a new address by the link that was mailed to it. Returns the address. */
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
