import type { RecordedEvent } from '../../kernel/event.js';
import { handlers, type Handlers } from '../../kernel/on.js';
import type { Email } from './email.js';

/**
 * Writes what somebody is told because of an event, when it is sent: the e-mail as of now; null when there is nothing to tell any
 * more (an invitation was revoked, content was erased). Links that let whoever follows them in carry a token of `LinkTokens`, so
 * that the log holds no secret.
 *
 * An event that wants an e-mail stands in `mailed-events.ts`; its context provides a writer, which gives itself to
 * {@link EmailTemplates} in `onModuleInit`. That is all: the e-mail is then sent once, survives restarts, and is tried again with
 * growing pauses while the mail server is down (`docs/adr/0013-e-mails.md`).
 */
export type EmailTemplate = (event: RecordedEvent) => Promise<Email | null>;

/** Everyone who writes e-mails, by the event that they write because of. */
export class EmailTemplates {
  private writers: Handlers<EmailTemplate> = {};

  /** @throws Error when e-mails for one of the types are written already */
  add(...writers: readonly Handlers<EmailTemplate>[]): void {
    this.writers = handlers(this.writers, ...writers);
  }

  /** Writes the e-mail because of an event; null when there is nothing to tell any more. */
  write(event: RecordedEvent): Promise<Email | null> {
    const write = this.writers[event.type];
    if (write === undefined) throw new Error(`Nobody writes e-mails for ${event.type}`);
    return write(event);
  }

  /** The types of the events that e-mails are written because of. */
  get occasions(): readonly string[] {
    return Object.keys(this.writers);
  }
}
