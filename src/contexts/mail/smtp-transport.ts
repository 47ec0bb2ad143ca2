import { createTransport, type Transporter } from 'nodemailer';
import type { OutgoingEmail } from './email.js';
import { MailNotSentError, MailTransport, messageId, unsubscribeHeaders } from './mail-transport.js';

/** Timeout in milliseconds, so that an unresponsive server does not block the e-mails behind. */
const TIMEOUT = 20_000;

/**
 * Few, because many servers refuse what one client opens beyond three or four, and other programs may use the same
 * account; two, so that an e-mail that the server takes long to accept does not hold up all others.
 */
const MAX_CONNECTIONS = 2;

/** Sends e-mails to an SMTP server. */
export class SmtpTransport extends MailTransport {
  private readonly transporter: Transporter;

  /** @param url `smtp://user:password@host:port` or `smtps://…` */
  constructor(url: string) {
    super();
    this.transporter = createTransport({
      url,
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      connectionTimeout: TIMEOUT,
      greetingTimeout: TIMEOUT,
      socketTimeout: TIMEOUT,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  override async send(email: OutgoingEmail): Promise<void> {
    const { id, from, to, subject, text, html, date } = email;
    try {
      await this.transporter.sendMail({
        messageId: messageId({ id, from }),
        from,
        // As an object, the address is taken as one, whatever characters it contains.
        to: { name: '', address: to },
        subject,
        text,
        html,
        date: new Date(date),
        headers: unsubscribeHeaders(email),
      });
    } catch (error) {
      throw notSent(error);
    }
  }

  override subjects(): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set());
  }

  override forget(): Promise<void> {
    return Promise.resolve();
  }

  override close(): void {
    this.transporter.close();
  }
}

/**
 * A reply about an address or a text is permanent if its code begins with 5; errors about our connection are
 * temporary.
 */
function notSent(error: unknown): MailNotSentError {
  const { code, responseCode } = error as { readonly code?: string; readonly responseCode?: number };
  const reason = String(responseCode ?? code ?? 'unknown');
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return new MailNotSentError('unreachable', reason);
  const isFinal = responseCode === undefined || responseCode >= 500;
  return new MailNotSentError(isFinal ? 'refused' : 'delayed', reason);
}
