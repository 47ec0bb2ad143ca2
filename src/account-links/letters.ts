import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EventOf, RecordedEvent } from '../kernel/event.js';
import { Correspondence } from '../mail/correspondence.js';
import type { Letter } from '../mail/letter.js';
import { Accounts } from '../users/accounts.js';
import type { UserEmailChanged } from '../users/events.js';
import { AccountLinks } from './account-links.js';
import type { EmailChangeRequested, PasswordResetRequested } from './events.js';
import { isOpen } from './requested-links.js';

/** Writes to people what they are to confirm. */
@Injectable()
export class AccountLetters implements OnModuleInit {
  constructor(
    private readonly correspondence: Correspondence,
    private readonly accounts: Accounts,
    private readonly links: AccountLinks,
  ) {}

  onModuleInit(): void {
    this.correspondence.add({
      because: 'EmailChangeRequested',
      write: (event) =>
        this.emailChange(event as unknown as RecordedEvent<EventOf<typeof EmailChangeRequested>>),
    });
    this.correspondence.add({
      because: 'PasswordResetRequested',
      write: (event) =>
        this.passwordReset(event as unknown as RecordedEvent<EventOf<typeof PasswordResetRequested>>),
    });
    this.correspondence.add({
      because: 'UserEmailChanged',
      write: (event) =>
        this.addressGivenUp(event as unknown as RecordedEvent<EventOf<typeof UserEmailChanged>>),
    });
  }

  /** To the address that is the account’s no longer; its person may know nothing of it. */
  private addressGivenUp({
    data: { userId, previousEmail },
    erased,
  }: RecordedEvent<EventOf<typeof UserEmailChanged>>): Promise<Letter | null> {
    const user = this.accounts.moment().directory.user(userId);
    if (user === null || user.bot !== null || erased) return Promise.resolve(null);
    return Promise.resolve({
      to: previousEmail,
      about: [`user:${userId}`],
      subject: `Your account in ${this.organization} has another address`,
      text: textOf([
        `Hello ${user.fullName},`,
        `the address of your account in ${this.organization} was changed, and is no longer this one.`,
        'If it was not you who changed it, tell the administrators of the organization.',
      ]),
    });
  }

  /** Null when the link would open nothing any more. */
  private async emailChange({
    data: { userId, email },
    revision,
    erased,
  }: RecordedEvent<EventOf<typeof EmailChangeRequested>>): Promise<Letter | null> {
    const { directory, now } = this.accounts.moment();
    const user = directory.user(userId);
    const { emailChange } = await this.links.of(userId);
    if (user?.isActive !== true || erased) return null;
    if (!isOpen(emailChange, { revision, doneAt: user.emailChangedAt, now })) return null;
    return {
      to: email,
      about: [`user:${userId}`],
      subject: `Confirm your new address for ${this.organization}`,
      text: textOf([
        `Hello ${user.fullName},`,
        `you want this to be the address of your account in ${this.organization}. To confirm that, follow this link:`,
        this.links.url('email-change', { userId, revision }),
        'It is valid for a day. If it was not you who asked for it, there is nothing to do.',
      ]),
    };
  }

  private async passwordReset({
    data: { userId },
    revision,
  }: RecordedEvent<EventOf<typeof PasswordResetRequested>>): Promise<Letter | null> {
    const { directory, now } = this.accounts.moment();
    const user = directory.user(userId);
    const { passwordReset } = await this.links.of(userId);
    if (user?.isActive !== true) return null;
    if (!isOpen(passwordReset, { revision, doneAt: user.passwordChangedAt, now })) return null;
    return {
      to: user.email,
      about: [`user:${userId}`],
      subject: `Set a password for ${this.organization}`,
      text: textOf([
        `Hello ${user.fullName},`,
        `somebody, probably you, wants to set a new password for your account in ${this.organization}. To do so, follow this link:`,
        this.links.url('password-reset', { userId, revision }),
        'It is valid for a day. If it was not you who asked for it, there is nothing to do: your password stays as it is.',
      ]),
    };
  }

  private get organization(): string {
    return this.accounts.moment().directory.organization?.settings.name ?? 'Palimpsest';
  }
}

function textOf(paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}
