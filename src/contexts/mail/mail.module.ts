import { join } from 'node:path';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Configuration } from '../../config.js';
import type { MailEvent } from '../../events/mail.js';
import type { Logger } from '../../http/monitoring/logger.js';
import { PublicAddress } from '../../http/public-address.js';
import { NO_CLIENT_EVENT, type Mappers } from '../../realtime/mapper.js';
import { LinkTokens } from '../../stores/key-store/link-tokens.js';
import { Vault } from '../../stores/key-store/vault.js';
import { DeliverMail, mailLogger, MailReader, MailSender } from './jobs.js';
import { EmailTemplates } from './email.js';
import { MailTransport } from './mail-transport.js';
import { OutboxTransport } from './outbox-transport.js';

/** Clients get no events about e-mails. */
export const mailMappers: Mappers<MailEvent> = {
  MailSent: NO_CLIENT_EVENT,
  MailPostponed: NO_CLIENT_EVENT,
  MailAbandoned: NO_CLIENT_EVENT,
};

/** What the mail context needs from the process. */
interface MailModuleOptions {
  readonly configuration: Pick<Configuration, 'smtpUrl' | 'mailFrom' | 'dataDirectory'>;
  readonly logger: Logger;
}

/** E-mails. Global: every context that sends e-mails registers its templates with {@link EmailTemplates}. */
@Module({})
export class MailModule {
  static register({ configuration, logger }: MailModuleOptions): DynamicModule {
    const providers: Provider[] = [
      { provide: EmailTemplates, useValue: new EmailTemplates() },
      { provide: MailTransport, useFactory: () => transportOf(configuration) },
      {
        provide: MailSender,
        inject: [DirectoryFollower, PublicAddress],
        useFactory: (follower: DirectoryFollower, address: PublicAddress) =>
          new MailSender(configuration.mailFrom, follower, address),
      },
      { provide: LinkTokens, inject: [Vault], useFactory: (vault: Vault) => new LinkTokens(vault) },
      { provide: mailLogger, useValue: logger },
      MailReader,
      DeliverMail,
    ];
    return {
      module: MailModule,
      global: true,
      providers,
      exports: [EmailTemplates, LinkTokens, MailTransport],
    };
  }
}

async function transportOf({
  smtpUrl,
  dataDirectory,
}: Pick<Configuration, 'smtpUrl' | 'dataDirectory'>): Promise<MailTransport> {
  if (smtpUrl === null) return new OutboxTransport(join(dataDirectory, 'outbox'));
  const { SmtpTransport } = await import('./smtp-transport.js');
  return new SmtpTransport(smtpUrl);
}
