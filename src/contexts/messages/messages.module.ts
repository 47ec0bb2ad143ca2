import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AttentionModule } from '../attention/attention.module.js';
import { NoticeSender } from '../channels/notices.js';
import { ChannelStatistics } from '../channels/statistics.js';
import { BotFailures } from './bot-failures.js';
import { ConversationLookup } from '../../access/known-people.js';
import { LastMessage } from '../users/queries/users.js';
import { AddReactionHandler, RemoveReactionHandler } from './commands/reactions.js';
import { AttachSubmessageHandler } from './commands/submessages.js';
import { DeleteMessageHandler, DeleteTopicHandler } from './commands/deletion.js';
import { EditMessageHandler } from './commands/edit-message.js';
import { ChangeFlagsInNarrowHandler, ChangeFlagsHandler, MarkAsReadHandler } from './commands/flags.js';
import { SendMessageHandler } from './commands/send-message.js';
import { ExpiredMessages } from './jobs.js';
import { FlagDecisions } from './flags/flag-decisions.js';
import { LeftChannelMarker } from './flags/left-channel-marker.js';
import { FlagsController } from './flags/flags.controller.js';
import { LocalEchoes } from './sending/local-echoes.js';
import { MessageDecisions } from './message-decisions.js';
import { MessageMoves } from './moves/message-moves.js';
import { MessageComposer } from './sending/message-composer.js';
import { MessageReader } from './message-reader.js';
import { LastReceivedMessage, MessageStatistics } from './message-statistics.js';
import { MessagesController } from './messages.controller.js';
import { MovedTopicPolicies } from './moves/moved-topic-policies.js';
import { NewestPages } from './newest-pages.js';
import { NotificationBot } from './notification-bot.js';
import { FindFlaggedHandler, FindFlagsPageHandler, GetReadReceiptsHandler } from './queries/flags.js';
import { GetMessageHandler, GetMessagesHandler, MatchNarrowHandler } from './queries/get-messages.js';
import { GetMessageStateHandler } from './queries/get-message-state.js';
import { GetMessageHistoryHandler } from './queries/get-message-history.js';
import { GetTopicsHandler } from './queries/get-topics.js';
import { RenderResolvedTextHandler } from './queries/render-resolved-text.js';
import { RenderTextHandler } from './queries/render-text.js';
import { ReactionsController } from './reactions/reactions.controller.js';
import { ConcludeMoves, FinishMoves } from './reactors/moves.js';
import { DeleteMessagesOfDeleted } from './reactors/delete-messages-of-deleted.js';
import { FollowTopics } from './reactors/follow-topics.js';
import { ReadLeftChannels, ReadMutedPeople } from './reactors/mark-read.js';
import { AutomaticTopicPolicies } from './sending/automatic-topic-policies.js';
import { SubmessagesController } from './submessages/submessages.controller.js';
import { TopicsController } from './topics.controller.js';
import { UploadAccess } from '../uploads/upload-access.js';
import { UploadReferences } from '../uploads/upload-references.js';
import { UploadReader } from '../uploads/upload-reader.js';

const handlers = [
  SendMessageHandler,
  EditMessageHandler,
  DeleteMessageHandler,
  AddReactionHandler,
  AttachSubmessageHandler,
  RemoveReactionHandler,
  ChangeFlagsHandler,
  ChangeFlagsInNarrowHandler,
  MarkAsReadHandler,
  GetMessagesHandler,
  FindFlaggedHandler,
  FindFlagsPageHandler,
  MatchNarrowHandler,
  RenderTextHandler,
  RenderResolvedTextHandler,
  GetMessageHandler,
  GetMessageStateHandler,
  GetMessageHistoryHandler,
  GetReadReceiptsHandler,
  GetTopicsHandler,
  DeleteTopicHandler,
];

/**
 * Messages: sending, reading, editing and deleting them. The module is global because other contexts, which
 * must not import it, declare what they need of it as abstract classes that it implements.
 */
@Global()
@Module({
  imports: [CqrsModule, AttentionModule],
  controllers: [
    MessagesController,
    ReactionsController,
    SubmessagesController,
    FlagsController,
    TopicsController,
  ],
  providers: [
    UploadReader,
    UploadAccess,
    MessageReader,
    NewestPages,
    LocalEchoes,
    BotFailures,
    MessageComposer,
    MessageDecisions,
    MessageMoves,
    FinishMoves,
    ConcludeMoves,
    MovedTopicPolicies,
    ExpiredMessages,
    AutomaticTopicPolicies,
    FollowTopics,
    FlagDecisions,
    LeftChannelMarker,
    ReadLeftChannels,
    ReadMutedPeople,
    DeleteMessagesOfDeleted,
    { provide: NoticeSender, useClass: NotificationBot },
    { provide: ChannelStatistics, useClass: MessageStatistics },
    { provide: LastMessage, useClass: LastReceivedMessage },
    { provide: ConversationLookup, useExisting: MessageReader },
    { provide: UploadReferences, useExisting: MessageReader },
    ...handlers,
  ],
  exports: [
    UploadReader,
    UploadAccess,
    MessageReader,
    MessageDecisions,
    LocalEchoes,
    MessageComposer,
    NoticeSender,
    ChannelStatistics,
    LastMessage,
    ConversationLookup,
    UploadReferences,
  ],
})
export class MessagesModule {}
