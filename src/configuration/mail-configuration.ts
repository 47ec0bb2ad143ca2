import {
  ConfigurationError,
  mailbox,
  smtpUrl,
  wholeNumber,
  type ReadVariable,
} from './configuration-values.js';

/** Outgoing and incoming mail. */
export interface MailConfiguration {
  /** `SMTP_URL`: the server that delivers e-mails; null: they are written to files in `DATA_DIR/outbox`. */
  readonly smtpUrl: string | null;
  /** `MAIL_FROM`: the sender of e-mails; null: the organization's name, with an address at the host of `PUBLIC_URL`. */
  readonly mailFrom: string | null;
  /** `INBOUND_SMTP_PORT` and related variables: receives mail that becomes messages in channels. */
  readonly inboundMail: InboundMailConfiguration;
}

/** The server for mail to channels. */
interface InboundMailConfiguration {
  /** `INBOUND_SMTP_HOST`. */
  readonly host: string;
  /** `INBOUND_SMTP_PORT`; null: no mail is accepted; 0: any free port. */
  readonly port: number | null;
  /** `INBOUND_MAIL_DOMAIN`: the domain of channels' addresses; null: the host of `PUBLIC_URL`. */
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
