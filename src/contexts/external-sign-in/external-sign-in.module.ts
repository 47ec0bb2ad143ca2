import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Configuration } from '../../config.js';
import type { ExternalSignInEvent } from '../../events/external-sign-in.js';
import type { Logger } from '../../http/monitoring/logger.js';
import type { Clock } from '../../kernel/clock.js';
import { NO_CLIENT_EVENT, type Mappers } from '../../realtime/mapper.js';
import { SignInExternallyHandler } from './commands/sign-in-externally.js';
import { ExternalSignInController } from './external-sign-in.controller.js';
import { ExternalSignIns } from './external-sign-ins.js';
import { OpenIdProvider } from './open-id-provider.js';
import { EncryptedCookies } from './encrypted-cookies.js';

/** Clients get no events about how people sign in. */
export const externalSignInMappers: Mappers<ExternalSignInEvent> = {
  ExternalIdentityLinked: NO_CLIENT_EVENT,
};

/** What the process provides to the context of external sign-in. */
interface ExternalSignInModuleOptions {
  readonly configuration: Pick<Configuration, 'openId'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Signing in with an external provider (OpenID Connect). */
@Module({})
export class ExternalSignInModule {
  static register({ configuration, clock, logger }: ExternalSignInModuleOptions): DynamicModule {
    const provider = new OpenIdProvider({ configuration: configuration.openId, clock, logger });
    return {
      module: ExternalSignInModule,
      imports: [CqrsModule],
      controllers: [ExternalSignInController],
      providers: [
        { provide: OpenIdProvider, useValue: provider },
        EncryptedCookies,
        ExternalSignIns,
        SignInExternallyHandler,
      ],
    };
  }
}
