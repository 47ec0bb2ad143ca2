import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Recorded } from '../../kernel/event.js';
import { on } from '../../kernel/event-handlers.js';
import { EmailTemplates, type Email } from '../mail/email.js';
import { emailBody, paragraph, type EmailBody, type EmailPart } from '../mail/email-body.js';
import { Decisions } from '../../http/decisions.js';
import { PublicAddress } from '../../http/public-address.js';
import { UserDeactivationNoticeRequested } from '../../events/deactivation.js';
import { UserEmailChanged, UserPasswordChanged } from '../../events/users.js';
import { AccountLinks } from './account-links.js';
import { EmailChangeRequested, PasswordResetRequested } from '../../events/account-links.js';
import { isOpen, requestedLinksOf } from './requested-links.state.js';

/**
 * Maximum age of an event, in milliseconds (three days), for a notification about it to be sent: after a longer failure
 * of mail it would be out of date.
 */
export const MAX_NEWS_AGE = 259_200_000;

/** Writes e-mails about changes of accounts: links to confirm them, and notifications. */
@Injectable()
export class AccountEmails implements OnModuleInit {
  constructor(
    private readonly templates: EmailTemplates,
    private readonly decisions: Decisions,
    private readonly links: AccountLinks,
    private readonly address: PublicAddress,
  ) {}

  onModuleInit(): void {
    this.templates.add(
      on(EmailChangeRequested, (event) => this.emailChange(event)),
      on(PasswordResetRequested, (event) => this.passwordReset(event)),
      on(UserPasswordChanged, (event) => this.passwordChanged(event)),
      on(UserEmailChanged, (event) => this.addressGivenUp(event)),
      on(UserDeactivationNoticeRequested, (event) => this.deactivated(event)),
    );
  }

  /** Sent to the account's former address, whose owner may not know about the change. */
  private addressGivenUp({
    data: { userId, previousEmail },
    erased,
  }: Recorded<typeof UserEmailChanged>): Promise<Email | null> {
    const user = this.decisions.snapshot().directory.user(userId);
    if (user === null || user.bot !== null || erased) return Promise.resolve(null);
    return Promise.resolve({
      to: previousEmail,
      about: [`user:${userId}`],
      subject: `Your account in ${this.organization} has another address`,
      // The new address is left out: the reader of the old mailbox may be somebody else.
      ...this.body('your new address', [
        `Hello ${user.fullName},`,
        `the address of your account in ${this.organization} was changed, and is no longer this one.`,
        `If it was not you who changed it, this page says what to do:`,
        { label: 'What to do', url: this.helpUrl },
      ]),
    });
  }

  /**
   * Notifies a person in case somebody else changed the password. An event that is too old by the time mail
   * can be sent is skipped.
   */
  private passwordChanged({
    data: { userId },
    metadata: { at },
  }: Recorded<typeof UserPasswordChanged>): Promise<Email | null> {
    const { directory, now } = this.decisions.snapshot();
    const user = directory.user(userId);
    if (user?.isActive !== true || user.bot !== null || now - at > MAX_NEWS_AGE) return Promise.resolve(null);
    return Promise.resolve({
      to: user.email,
      about: [`user:${userId}`],
      subject: `Your password for ${this.organization} was changed`,
      ...this.body(user.email, [
        `Hello ${user.fullName},`,
        `the password of your account in ${this.organization} (${this.address.url}) was changed.`,
        `If it was not you who changed it, this page says what to do:`,
        { label: 'What to do', url: this.helpUrl },
      ]),
    });
  }

  /** Contains the comment of the administrator who deactivated the account, if there is one. */
  private deactivated({
    data: { userId, comment },
    metadata: { at },
    erased,
  }: Recorded<typeof UserDeactivationNoticeRequested>): Promise<Email | null> {
    const { directory, now } = this.decisions.snapshot();
    const user = directory.user(userId);
    if (user === null || user.isActive || erased || now - at > MAX_NEWS_AGE) return Promise.resolve(null);
    return Promise.resolve({
      to: user.email,
      about: [`user:${userId}`],
      subject: `Your account in ${this.organization} was deactivated`,
      ...this.body(user.email, [
        `Hello,`,
        `your account in ${this.organization} (${this.address.url}) was deactivated: you can no longer log in.`,
        ...(comment === '' ? [] : [`Whoever did so leaves you these words: “${comment}”`]),
      ]),
    });
  }

  /** A page that changes nothing. */
  private get helpUrl(): string {
    return `${this.address.url}/accounts/not_me`;
  }

  /** Null when the link would no longer be valid. */
  private async emailChange({
    data: { userId, email },
    revision,
    erased,
  }: Recorded<typeof EmailChangeRequested>): Promise<Email | null> {
    const { directory, now } = this.decisions.snapshot();
    const user = directory.user(userId);
    const { emailChange } = await this.decisions.load(requestedLinksOf(userId));
    if (user?.isActive !== true || erased) return null;
    if (!isOpen(emailChange, { revision, user, now })) return null;
    return {
      to: email,
      about: [`user:${userId}`],
      subject: `Confirm your new address for ${this.organization}`,
      ...this.body(user.email, [
        `Hello ${user.fullName},`,
        `you want this to be the address of your account in ${this.organization}. To confirm that, follow this link:`,
        { label: 'Confirm the address', url: this.links.url('email-change', { userId, revision }) },
        'It is valid for a day. If it was not you who asked for it, there is nothing to do.',
      ]),
    };
  }

  private async passwordReset({
    data: { userId },
    revision,
  }: Recorded<typeof PasswordResetRequested>): Promise<Email | null> {
    const { directory, now } = this.decisions.snapshot();
    const user = directory.user(userId);
    const { passwordReset } = await this.decisions.load(requestedLinksOf(userId));
    if (user?.isActive !== true) return null;
    if (!isOpen(passwordReset, { revision, user, now })) return null;
    return {
      to: user.email,
      about: [`user:${userId}`],
      subject: `Set a password for ${this.organization}`,
      ...this.body(user.email, [
        `Hello ${user.fullName},`,
        `somebody, probably you, wants to set a new password for your account in ${this.organization}. To do so, follow this link:`,
        { label: 'Set a password', url: this.links.url('password-reset', { userId, revision }) },
        'It is valid for a day. If it was not you who asked for it, there is nothing to do: your password stays as it is.',
      ]),
    };
  }

  private body(email: string, parts: readonly (string | Link)[]): EmailBody {
    const { organization } = this;
    return emailBody(parts.map(partOf), { organization, site: this.address.url, email });
  }

  private get organization(): string {
    return this.decisions.snapshot().directory.organizationName;
  }
}

/** A link, and the purpose of its page. */
interface Link {
  readonly label: string;
  readonly url: string;
}

function partOf(part: string | Link): EmailPart {
  return typeof part === 'string' ? paragraph(part) : { kind: 'link', ...part };
}
