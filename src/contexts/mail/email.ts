import { EmailChangeRequested, PasswordResetRequested } from '../../events/account-links.js';
import { InvitationRenewed, InvitationSent } from '../../events/invitations.js';
import { MissedMessagesMailed } from '../../events/missed-messages.js';
import {
  RecoveryCodeUsed,
  SecondFactorDisabled,
  SecondFactorEnabled,
  SecondFactorRevoked,
} from '../../events/second-factor.js';
import { UserDeactivationNoticeRequested } from '../../events/deactivation.js';
import { UserEmailChanged, UserPasswordChanged } from '../../events/users.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { handlers, type Handlers } from '../../kernel/event-handlers.js';

/** What an e-mail mentions, by kind and id. */
export type EmailMention = `${'message' | 'user' | 'invitation'}:${number}`;

/** An e-mail, before it has a sender and a date. */
export interface Email {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text; lines end in `\n`. */
  readonly text: string;
  /** The same as an HTML document that loads nothing. */
  readonly html: string;
  /**
   * Everything that it mentions, its recipient included: once one of these is erased, an e-mail that is still
   * stored here is deleted.
   */
  readonly about: readonly EmailMention[];
  /**
   * Where the recipient can unsubscribe from e-mails of this kind, by a POST without logging in; absent: they
   * cannot.
   */
  readonly unsubscribeUrl?: string;
}

/** An e-mail that is ready to be sent. */
export interface OutgoingEmail extends Email {
  /** Id of the event that it is about: when it is sent again, the id is the same. */
  readonly id: string;
  /** `name <address>`, or an address. */
  readonly from: string;
  /** When it was requested: milliseconds since the UNIX epoch. */
  readonly date: number;
}

/**
 * Writes the e-mail about an event at the time when it is sent, with present data; null when it is not needed
 * any more (an invitation was revoked, content was erased). Links that authenticate contain a token of
 * `LinkTokens`, so that the log holds no secret.
 *
 * An event that needs an e-mail is listed in {@link mailedEvents}; its context provides a template, which
 * registers with {@link EmailTemplates} in `onModuleInit`. The e-mail is then sent once, survives restarts,
 * and is retried with growing pauses while the mail server is down (`docs/adr/0013-e-mails.md`).
 */
type EmailTemplate = (event: RecordedEvent) => Promise<Email | null>;

/** All templates, by the event that they are about. */
export class EmailTemplates {
  private writers: Handlers<EmailTemplate> = {};

  /** @throws Error when one of the event types has a template already */
  add(...writers: readonly Handlers<EmailTemplate>[]): void {
    this.writers = handlers(this.writers, ...writers);
  }

  /** The e-mail about the event; null when it is not needed any more. */
  write(event: RecordedEvent): Promise<Email | null> {
    const write = this.writers[event.type];
    if (write === undefined) throw new Error(`Nobody writes e-mails for ${event.type}`);
    return write(event);
  }

  /** The types of events that have templates. */
  get occasions(): readonly string[] {
    return Object.keys(this.writers);
  }
}

/**
 * The events that cause an e-mail, one for each event. Each needs an {@link EmailTemplate}: the server does
 * not start without it.
 */
export const mailedEvents = [
  InvitationSent,
  InvitationRenewed,
  EmailChangeRequested,
  PasswordResetRequested,
  UserEmailChanged,
  UserPasswordChanged,
  UserDeactivationNoticeRequested,
  MissedMessagesMailed,
  SecondFactorEnabled,
  SecondFactorDisabled,
  SecondFactorRevoked,
  RecoveryCodeUsed,
] as const;
