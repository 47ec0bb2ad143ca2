import type { RecordedEvent } from '../../kernel/event.js';
import { handlers, type Handlers } from '../../kernel/on.js';
import type { Email } from './email.js';

/**
 * Writes the e-mail about an event at the time when it is sent, with present data; null when it is not needed
 * any more (an invitation was revoked, content was erased). Links that authenticate contain a token of
 * `LinkTokens`, so that the log holds no secret.
 *
 * An event that needs an e-mail is listed in `mailed-events.ts`; its context provides a template, which
 * registers with {@link EmailTemplates} in `onModuleInit`. The e-mail is then sent once, survives restarts,
 * and is retried with growing pauses while the mail server is down (`docs/adr/0013-e-mails.md`).
 */
export type EmailTemplate = (event: RecordedEvent) => Promise<Email | null>;

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
