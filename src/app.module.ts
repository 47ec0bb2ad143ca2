import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { ModelPositions } from '../projections/engine/model-positions.js';
import { AccountLinksModule } from './account-links/account-links.module.js';
import type { ApplicationNode } from './application-node.js';
import { AuditModule } from './audit/audit.module.js';
import { AttentionModule } from './attention/attention.module.js';
import { ChannelMailModule } from './channel-mail/channel-mail.module.js';
import { ChannelsModule } from './channels/channels.module.js';
import { DirectoryFollower } from './directory/directory-follower.js';
import { EventLog } from './event-store/event-log.js';
import { FoldedStreams } from './event-store/folded-streams.js';
import { ConsistentLog } from './http/consistency.js';
import { SealedFiles } from './file-store/sealed-files.js';
import { HttpModule } from './http/http.module.js';
import { Vault } from './key-store/vault.js';
import { InvitationsModule } from './invitations/invitations.module.js';
import { MailModule } from './mail/mail.module.js';
import { CustomEmojiModule } from './emoji/custom-emoji.module.js';
import { LinkifiersModule } from './linkifiers/linkifiers.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { OrganizationModule } from './organization/organization.module.js';
import { MissedMessagesModule } from './missed-messages/missed-messages.module.js';
import { PersonalModule } from './personal/personal.module.js';
import { PresenceModule } from './presence/presence.module.js';
import { ProfilesModule } from './profiles/profiles.module.js';
import { RealtimeModule } from './realtime/realtime.module.js';
import { PushModule } from './push/push.module.js';
import { ServingModels } from './read-store/serving-models.js';
import { SettingsModule } from './settings/settings.module.js';
import { SignalsModule } from './signals/signals.module.js';
import { StatusesModule } from './statuses/statuses.module.js';
import { SystemClock } from './system-clock.js';
import { UploadsModule } from './uploads/uploads.module.js';
import { TypingModule } from './typing/typing.module.js';
import { UsersModule } from './users/users.module.js';

/** What every context works with: the log, the read models, the directory and the time. */
@Module({})
class FoundationModule {
  static register(node: ApplicationNode): DynamicModule {
    const { log } = node.stores;
    const { snapshots } = node;
    const streams = new FoldedStreams(log, {
      settle: (appended) => node.log.settle(appended),
      ...(snapshots && { snapshots }),
    });
    const providers: Provider[] = [
      { provide: SystemClock, useValue: node.clock },
      { provide: EventLog, useValue: log },
      { provide: ConsistentLog, useValue: node.log },
      { provide: FoldedStreams, useValue: streams },
      { provide: DirectoryFollower, useValue: node.follower },
      { provide: ModelPositions, useValue: node.positions },
      { provide: ServingModels, useValue: node.models },
      { provide: Vault, useValue: node.stores.vault },
      { provide: SealedFiles, useValue: node.stores.files },
    ];
    return { module: FoundationModule, global: true, providers, exports: providers };
  }
}

/** The whole application. */
@Module({})
export class AppModule {
  static register(node: ApplicationNode): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        DiscoveryModule,
        HttpModule.register(node.configuration, node.clock),
        FoundationModule.register(node),
        UsersModule.register(node),
        MailModule.register(node),
        OrganizationModule,
        ChannelsModule,
        InvitationsModule.register(node),
        ChannelMailModule.register(node),
        PushModule.register(node),
        MissedMessagesModule,
        MessagesModule,
        AttentionModule,
        PersonalModule,
        SettingsModule,
        StatusesModule,
        AccountLinksModule,
        ProfilesModule,
        PresenceModule,
        TypingModule,
        SignalsModule.register(node),
        UploadsModule,
        RealtimeModule.register(node),
        LinkifiersModule,
        CustomEmojiModule,
        AuditModule.register(node),
      ],
    };
  }
}
