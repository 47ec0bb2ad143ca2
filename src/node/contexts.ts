import type { ModuleMetadata } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { caseMappers, sealMappers } from '../audit/client-events.js';
import { exportEventSchemas } from '../audit/exports/exports.replies.js';
import { exportMappers } from '../audit/exports/client-events.js';
import { ExportsModule } from '../audit/exports/exports.module.js';
import { accountLinkMappers, AccountLinksModule } from '../contexts/account-links/account-links.module.js';
import { AttentionModule } from '../contexts/attention/attention.module.js';
import { attentionMappers, attentionState } from '../contexts/attention/client-events.js';
import { ChannelMailModule } from '../contexts/channel-mail/channel-mail.module.js';
import { ChannelsModule } from '../contexts/channels/channels.module.js';
import { channelFolderMappers } from '../contexts/channels/client-events/channel-folders.js';
import { channelMappers } from '../contexts/channels/client-events/channels.js';
import { subscriptionMappers } from '../contexts/channels/client-events/subscriptions.js';
import { channelState } from '../contexts/channels/initial-state.js';
import { customEmojiMappers, customEmojiState } from '../contexts/emoji/client-events.js';
import { EmojiModule } from '../contexts/emoji/emoji.module.js';
import {
  externalSignInMappers,
  ExternalSignInModule,
} from '../contexts/external-sign-in/external-sign-in.module.js';
import { FrontPageModule } from '../contexts/front-page/front-page.module.js';
import { integrationState, integrationStateFields } from '../contexts/integrations/initial-state.js';
import { IntegrationsModule } from '../contexts/integrations/integrations.module.js';
import { invitationMappers } from '../contexts/invitations/client-events.js';
import { InvitationsModule } from '../contexts/invitations/invitations.module.js';
import { linkifierMappers, linkifierState } from '../contexts/linkifiers/client-events.js';
import { LinkifiersModule } from '../contexts/linkifiers/linkifiers.module.js';
import { mailMappers, MailModule } from '../contexts/mail/mail.module.js';
import { flagMappers } from '../contexts/messages/client-events/flags.js';
import { mediaMappers } from '../contexts/messages/client-events/media.js';
import { messageMappers } from '../contexts/messages/client-events/messages.js';
import { moveMappers } from '../contexts/messages/client-events/moves.js';
import { laterMessageState, messageState } from '../contexts/messages/queries/get-message-state.js';
import { MessagesModule } from '../contexts/messages/messages.module.js';
import {
  missedMessageMappers,
  MissedMessagesModule,
} from '../contexts/missed-messages/missed-messages.module.js';
import { organizationMappers } from '../contexts/organization/client-events/organization.js';
import { realmState } from '../contexts/organization/initial-state.js';
import { OrganizationModule } from '../contexts/organization/organization.module.js';
import {
  botStorageMappers,
  navigationViewMappers,
  onboardingMappers,
  personalMappers,
  personalState,
  savedSnippetMappers,
} from '../contexts/personal/client-events.js';
import {
  outgoingWebhookMappers,
  OutgoingWebhooksModule,
} from '../contexts/outgoing-webhooks/outgoing-webhooks.module.js';
import { PersonalModule } from '../contexts/personal/personal.module.js';
import { presenceState } from '../contexts/presence/client-events.js';
import { PresenceModule } from '../contexts/presence/presence.module.js';
import { profileFieldMappers, profileFieldState } from '../contexts/profiles/client-events.js';
import { ProfilesModule } from '../contexts/profiles/profiles.module.js';
import { deviceMappers, deviceState } from '../contexts/push/client-events.js';
import { PushModule } from '../contexts/push/push.module.js';
import { reportMappers, ReportsModule } from '../contexts/reports/reports.module.js';
import { settingMappers, settingState } from '../contexts/settings/client-events.js';
import { SettingsModule } from '../contexts/settings/settings.module.js';
import { statusMappers, statusState } from '../contexts/statuses/client-events.js';
import { StatusesModule } from '../contexts/statuses/statuses.module.js';
import { TypingModule } from '../contexts/typing/typing.module.js';
import { resumableUploadMappers, uploadMappers } from '../contexts/uploads/client-events.js';
import { UploadsModule } from '../contexts/uploads/uploads.module.js';
import { userGroupMappers } from '../contexts/users/client-events/user-groups.js';
import { secondFactorMappers, securityMappers } from '../contexts/users/client-events/security.js';
import { userMappers } from '../contexts/users/client-events/users.js';
import { userGroupState, userState } from '../contexts/users/initial-state.js';
import { UsersModule } from '../contexts/users/users.module.js';
import { operationMappers, OperationsModule } from '../operations/operations.module.js';
import { erasureMappers } from '../erasure/client-events.js';
import { channelEventSchemas, channelStateFields } from '../contexts/channels/client-schemas.js';
import { messageEventSchemas, messageStateFields } from '../contexts/messages/client-schemas.js';
import {
  organizationEventSchemas,
  organizationStateFields,
} from '../contexts/organization/client-schemas.js';
import { userEventSchemas, userStateFields } from '../contexts/users/client-schemas.js';
import { settingEventSchemas, settingStateFields } from '../contexts/settings/settings.replies.js';
import { personalEventSchemas, personalStateFields } from '../contexts/personal/client-schemas.js';
import { attentionEventSchemas, attentionStateFields } from '../contexts/attention/attention.replies.js';
import { presenceEventSchemas, presenceStateFields } from '../contexts/presence/presence.replies.js';
import { statusEventSchemas, statusStateFields } from '../contexts/statuses/statuses.replies.js';
import { profileFieldEventSchemas, profileFieldStateFields } from '../contexts/profiles/profiles.replies.js';
import { deviceEventSchemas, deviceStateFields } from '../contexts/push/push.replies.js';
import { customEmojiEventSchemas, customEmojiStateFields } from '../contexts/emoji/emoji.replies.js';
import { linkifierEventSchemas, linkifierStateFields } from '../contexts/linkifiers/linkifiers.replies.js';
import { invitationEventSchemas } from '../contexts/invitations/invitations.replies.js';
import { uploadEventSchemas } from '../contexts/uploads/uploads.replies.js';
import { typingEventSchemas } from '../contexts/typing/client-schemas.js';
import type { ReplyFields } from '../http/replies/reply.decorator.js';
import type { ClientEventSchema } from '../realtime/client-event-schema.js';
import type { InitialState, LaterState } from '../realtime/initial-state.js';
import type { MapperLines } from '../realtime/mapper.js';
import type { ApplicationNode } from './application-node.js';
import type { ClientModels } from './client-models.js';

/** The parts of a context that the server uses. A new context only has to be added to this list. */
interface Context {
  /** Absent: the context has no endpoints. */
  readonly module?: (node: ApplicationNode) => NonNullable<ModuleMetadata['imports']>[number];
  /** The client events for the context's events. */
  readonly clientEvents?: readonly MapperLines<ClientModels>[];
  /** The context's part of the reply to a client that registers. */
  readonly initialState?: InitialState<ClientModels>;
  readonly laterState?: LaterState;
  /** The context's client events, for the documentation page. */
  readonly clientEventSchemas?: readonly ClientEventSchema[];
  /** The fields of the context in the reply to a client that registers, for the documentation page. */
  readonly stateFields?: ReplyFields;
}

/** All contexts of the server. A test finds events for which no context defines whether clients are told. */
export const contexts: readonly Context[] = [
  {
    module: (node) => UsersModule.register(node),
    clientEventSchemas: userEventSchemas,
    stateFields: userStateFields,
    clientEvents: [userMappers, userGroupMappers, securityMappers, secondFactorMappers],
    initialState: { ...userState, ...userGroupState },
  },
  { module: (node) => MailModule.register(node), clientEvents: [mailMappers] },
  {
    module: () => OrganizationModule,
    clientEventSchemas: organizationEventSchemas,
    stateFields: organizationStateFields,
    clientEvents: [organizationMappers],
    initialState: realmState,
  },
  {
    module: () => ChannelsModule,
    clientEventSchemas: channelEventSchemas,
    stateFields: channelStateFields,
    clientEvents: [channelMappers, channelFolderMappers, subscriptionMappers],
    initialState: channelState,
  },
  {
    module: (node) => InvitationsModule.register(node),
    clientEventSchemas: invitationEventSchemas,
    clientEvents: [invitationMappers],
  },
  { module: (node) => ChannelMailModule.register(node) },
  {
    module: (node) => PushModule.register(node),
    clientEventSchemas: deviceEventSchemas,
    stateFields: deviceStateFields,
    clientEvents: [deviceMappers],
    initialState: deviceState,
  },
  { module: () => MissedMessagesModule, clientEvents: [missedMessageMappers] },
  {
    module: () => MessagesModule,
    clientEventSchemas: messageEventSchemas,
    stateFields: messageStateFields,
    clientEvents: [messageMappers, moveMappers, mediaMappers, flagMappers],
    initialState: messageState,
    laterState: laterMessageState,
  },
  {
    module: () => AttentionModule,
    clientEventSchemas: attentionEventSchemas,
    stateFields: attentionStateFields,
    clientEvents: [attentionMappers],
    initialState: attentionState,
  },
  {
    module: () => PersonalModule,
    clientEventSchemas: personalEventSchemas,
    stateFields: personalStateFields,
    clientEvents: [
      personalMappers,
      savedSnippetMappers,
      navigationViewMappers,
      botStorageMappers,
      onboardingMappers,
    ],
    initialState: personalState,
  },
  {
    module: () => SettingsModule,
    clientEventSchemas: settingEventSchemas,
    stateFields: settingStateFields,
    clientEvents: [settingMappers],
    initialState: settingState,
  },
  {
    module: () => StatusesModule,
    clientEventSchemas: statusEventSchemas,
    stateFields: statusStateFields,
    clientEvents: [statusMappers],
    initialState: statusState,
  },
  { module: () => AccountLinksModule, clientEvents: [accountLinkMappers] },
  { module: (node) => ExternalSignInModule.register(node), clientEvents: [externalSignInMappers] },
  {
    module: () => ProfilesModule,
    clientEventSchemas: profileFieldEventSchemas,
    stateFields: profileFieldStateFields,
    clientEvents: [profileFieldMappers],
    initialState: profileFieldState,
  },
  {
    module: () => PresenceModule,
    clientEventSchemas: presenceEventSchemas,
    stateFields: presenceStateFields,
    initialState: presenceState,
  },
  { module: () => TypingModule, clientEventSchemas: typingEventSchemas },
  {
    module: (node) => UploadsModule.register(node),
    clientEventSchemas: uploadEventSchemas,
    clientEvents: [uploadMappers, resumableUploadMappers],
  },
  {
    module: () => LinkifiersModule,
    clientEventSchemas: linkifierEventSchemas,
    stateFields: linkifierStateFields,
    clientEvents: [linkifierMappers],
    initialState: linkifierState,
  },
  {
    module: () => EmojiModule,
    clientEventSchemas: customEmojiEventSchemas,
    stateFields: customEmojiStateFields,
    clientEvents: [customEmojiMappers],
    initialState: customEmojiState,
  },
  { module: () => FrontPageModule },
  {
    module: (node) => OutgoingWebhooksModule.register(node),
    clientEvents: [outgoingWebhookMappers],
  },
  { module: () => ReportsModule, clientEvents: [reportMappers] },
  { module: () => IntegrationsModule, stateFields: integrationStateFields, initialState: integrationState },
  { module: (node) => AuditModule.register(node), clientEvents: [sealMappers, caseMappers] },
  {
    module: (node) => ExportsModule.register(node),
    clientEventSchemas: exportEventSchemas,
    clientEvents: [exportMappers],
  },
  { clientEvents: [erasureMappers] },
  { module: (node) => OperationsModule.register(node), clientEvents: [operationMappers] },
];
