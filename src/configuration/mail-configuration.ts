import {
  ConfigurationError,
  mailbox,
  smtpUrl,
  wholeNumber,
  type ReadVariable,
} from './configuration-values.js';

/** How mail goes out and comes in. */
export interface MailConfiguration {
  /** `SMTP_URL`: the server that takes e-mails; null: they are put into files in `DATA_DIR/outbox`. */
  readonly smtpUrl: string | null;
  /** `MAIL_FROM`: in whose name e-mails are written; null: the organization's, at the name of `PUBLIC_URL`. */
  readonly mailFrom: string | null;
  /** `INBOUND_SMTP_PORT` and its companions: how mail becomes messages in channels. */
  readonly inboundMail: InboundMailConfiguration;
}

/** Where mail for channels comes in. */
export interface InboundMailConfiguration {
  /** `INBOUND_SMTP_HOST`. */
  readonly host: string;
  /** `INBOUND_SMTP_PORT`; null: no mail is taken; 0: any free one. */
  readonly port: number | null;
  /** `INBOUND_MAIL_DOMAIN`: what stands behind the @ of channels; null: the name of `PUBLIC_URL`. */
  readonly domain: string | null;
}

/** @throws ConfigurationError */
export function mailFrom(read: ReadVariable): MailConfiguration {
  return {
    smtpUrl: smtpUrl('SMTP_URL', read('SMTP_URL')),
    mailFrom: mailbox('MAIL_FROM', read('MAIL_FROM')),
    inboundMail: inboundMail(read),
  };
}

function inboundMail(read: ReadVariable): InboundMailConfiguration {
  const port = read('INBOUND_SMTP_PORT');
  const domain = read('INBOUND_MAIL_DOMAIN');
  if (domain !== null && !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(domain)) {
    throw new ConfigurationError(`INBOUND_MAIL_DOMAIN must be a name of a host, but is "${domain}".`);
  }
  return {
    host: read('INBOUND_SMTP_HOST') ?? '127.0.0.1',
    port: port === null ? null : wholeNumber('INBOUND_SMTP_PORT', port, 65_535),
    domain,
  };
}
