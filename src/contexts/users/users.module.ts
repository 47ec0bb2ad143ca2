import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { OwnProfileController } from './own-profile.controller.js';
import {
  ChangeAvatarHandler,
  ChangeOwnProfileHandler,
  CreateUserHandler,
  DeactivateOwnAccountHandler,
  DeactivateUserHandler,
  ReactivateUserHandler,
  UpdateUserHandler,
} from './commands/users.js';
import { KeyActivity } from '../channels/active-people.js';
import type { Configuration } from '../../config.js';
import { publicUrl } from '../../configuration/public-url.js';
import { Authenticator } from '../../http/caller.js';
import type { Logger } from '../../http/monitoring/logger.js';
import type { Clock } from '../../kernel/clock.js';
import { ExternalMethods } from '../../http/authentication/external-methods.js';
import { PublicAddress } from '../../http/public-address.js';
import type { Stores } from '../../stores/stores.js';
import { Admission } from './admission.js';
import { ApiKeyAuthenticator } from './authentication.js';
import { ApiKeysController } from './api-keys.controller.js';
import { AvatarsController } from './avatars.controller.js';
import { BotsController } from './bots.controller.js';
import {
  ChangeGroupMembersHandler,
  CreateUserGroupHandler,
  UpdateUserGroupHandler,
} from './commands/user-groups.js';
import { CreateBotHandler, DeactivateBotHandler, UpdateBotHandler } from './commands/bots.js';
import { LogInHandler, LogInWithTokenHandler } from './commands/log-in.js';
import { RegenerateApiKeyHandler, RevokeApiKeyHandler } from './commands/api-keys.js';
import {
  BeginSecondFactorHandler,
  ConfirmSecondFactorHandler,
  DisableSecondFactorHandler,
  ResetSecondFactorHandler,
} from './commands/second-factor.js';
import { Credentials } from './credentials.js';
import { FailedLogIns } from './security/failed-log-ins.js';
import { SecurityRecords } from './security/security-records.js';
import { EmailLookup } from '../../access/email-lookup.js';
import { IncomingWebhookGuard } from './incoming-webhooks.js';
import {
  GetAvatarAddressHandler,
  GetOwnUserHandler,
  GetUserHandler,
  GetUsersHandler,
  KnownAccounts,
} from './queries/users.js';
import { ConversationLookup, KnownPeople } from '../../access/known-people.js';
import { LogInController, WebTokenController } from './log-in.controller.js';
import { WebTokens } from './web-tokens.js';
import { PasswordChange } from './password-change.js';
import { GetApiKeysHandler, GetSecondFactorHandler } from './queries/account-security.js';
import { GetBotHandler, GetBotKeyHandler, GetBotsHandler } from './queries/bots.js';
import {
  GetGroupMembersHandler,
  GetGroupMembershipHandler,
  GetSubgroupsHandler,
  GetUserGroupsHandler,
} from './queries/user-groups.js';
import { PasswordPolicy, PasswordStrength } from './password-policy.js';
import { KeyRenewals } from './key-renewals.js';
import { SecondFactorChanges, SecondFactors } from './second-factors.js';
import { SecondFactorController } from './second-factor.controller.js';
import { UserGroupsController } from './user-groups.controller.js';
import { RemoveReplacedAvatars } from './reactors.js';
import { UsersController } from './users.controller.js';

const handlers: Provider[] = [
  CreateUserHandler,
  UpdateUserHandler,
  ChangeAvatarHandler,
  DeactivateOwnAccountHandler,
  DeactivateUserHandler,
  ReactivateUserHandler,
  LogInHandler,
  LogInWithTokenHandler,
  RegenerateApiKeyHandler,
  RevokeApiKeyHandler,
  BeginSecondFactorHandler,
  ConfirmSecondFactorHandler,
  DisableSecondFactorHandler,
  ResetSecondFactorHandler,
  GetSecondFactorHandler,
  GetApiKeysHandler,
  CreateBotHandler,
  UpdateBotHandler,
  DeactivateBotHandler,
  CreateUserGroupHandler,
  ChangeGroupMembersHandler,
  UpdateUserGroupHandler,
  GetUsersHandler,
  GetUserHandler,
  GetOwnUserHandler,
  GetBotKeyHandler,
  GetBotsHandler,
  GetAvatarAddressHandler,
  GetBotHandler,
  ChangeOwnProfileHandler,
  GetUserGroupsHandler,
  GetSubgroupsHandler,
  GetGroupMembersHandler,
  GetGroupMembershipHandler,
];

/** What the process provides to the users context. */
interface UsersModuleOptions {
  readonly configuration: Configuration;
  readonly stores: Pick<Stores, 'credentialStore' | 'vault'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Replaces authentication by API keys; absent: API keys authenticate. */
  readonly authenticator?: Authenticator;
}

const controllers = [
  AvatarsController,
  OwnProfileController,
  SecondFactorController,
  ApiKeysController,
  UsersController,
  BotsController,
  UserGroupsController,
  LogInController,
  WebTokenController,
];

/**
 * People, bots and user groups. Global, because every context resolves people. It exports {@link EmailLookup}, {@link
 * KnownPeople}, {@link PasswordChange}, {@link PasswordPolicy}, {@link Credentials}, {@link KeyActivity}, {@link
 * SecurityRecords}, {@link IncomingWebhookGuard}, {@link Admission}, {@link ExternalMethods}, {@link PublicAddress} and the {@link Authenticator}.
 */
@Module({})
export class UsersModule {
  static register(options: UsersModuleOptions): DynamicModule {
    const exports = exported(options);
    const { configuration, stores, clock } = options;
    const { credentialStore: store, vault } = stores;
    const factors = new SecondFactors({ store: store.secondFactors, vault, clock });
    return {
      module: UsersModule,
      global: true,
      imports: [CqrsModule],
      controllers,
      providers: [
        ...exports,
        ...handlers,
        { provide: WebTokens, useValue: new WebTokens(configuration.webTokens, clock) },
        { provide: SecondFactors, useValue: factors },
        { provide: PasswordStrength, useValue: new PasswordStrength() },
        FailedLogIns,
        SecondFactorChanges,
        KeyRenewals,
        KnownAccounts,
        RemoveReplacedAvatars,
      ],
      exports,
    };
  }
}

/** What other contexts use. */
function exported({ configuration, stores, clock, logger, authenticator }: UsersModuleOptions): Provider[] {
  const { credentialStore: store, vault } = stores;
  const onLost = (err: unknown): void => logger.warn({ err }, 'When keys were used could not be kept');
  return [
    { provide: EmailLookup, useValue: new EmailLookup(vault) },
    { provide: Credentials, useValue: new Credentials({ store, vault, clock, onLost }) },
    { provide: KeyActivity, useExisting: Credentials },
    { provide: ExternalMethods, useValue: new ExternalMethods(configuration.openId) },
    { provide: PublicAddress, useValue: new PublicAddress(publicUrl(configuration)) },
    authenticator === undefined
      ? { provide: Authenticator, useClass: ApiKeyAuthenticator }
      : { provide: Authenticator, useValue: authenticator },
    IncomingWebhookGuard,
    Admission,
    PasswordPolicy,
    PasswordChange,
    {
      provide: KnownPeople,
      useFactory: (lookup: ConversationLookup) => new KnownPeople(lookup),
      inject: [ConversationLookup],
    },
    SecurityRecords,
  ];
}
