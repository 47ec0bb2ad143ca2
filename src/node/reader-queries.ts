import type { AuditIndex } from '../audit/log-index/audit-index.js';
import type { KnownNames } from '../audit/queries/known-names.js';
import { GetAudience, GetAudienceHandler } from '../audit/queries/get-audience.js';
import {
  CheckProofBundle,
  CheckProofBundleHandler,
  GetSeals,
  GetSealsHandler,
} from '../audit/queries/seals.js';
import { GetLogPage, GetLogPageHandler } from '../audit/queries/get-log-page.js';
import {
  CompareConversation,
  CompareConversationHandler,
} from '../audit/past/conversation/queries/compare-conversation.js';
import {
  GetConversationChanges,
  GetConversationChangesHandler,
} from '../audit/past/conversation/queries/get-conversation-changes.js';
import {
  GetPastConversation,
  GetPastConversationHandler,
} from '../audit/past/conversation/queries/get-past-conversation.js';
import type { PastSources } from '../audit/past/past-sources.js';
import { GetStoredEvent, GetStoredEventHandler } from '../audit/queries/get-stored-event.js';
import { GetMessageTimeline, GetMessageTimelineHandler } from '../audit/queries/get-message-timeline.js';
import { GetMessageViews, GetMessageViewsHandler } from '../audit/queries/get-message-views.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import type { QueryDeadline } from '../reader-threads/query-deadline.js';
import type { Decisions } from '../http/decisions.js';
import type { ChannelListing } from '../contexts/channels/channel-listing.js';
import { GetChannels, GetChannelsHandler } from '../contexts/channels/queries/channels.js';
import { GetSubscriptions, GetSubscriptionsHandler } from '../contexts/channels/queries/subscriptions.js';
import type { AnyReaderQuery, CallersQuery, ReaderQuery } from '../reader-threads/reader-query.js';
import type { MessageReader } from '../contexts/messages/message-reader.js';
import { mayBeLong, shapeOf } from '../contexts/messages/narrow/narrow-cost.js';
import {
  FindFlagged,
  FindFlaggedHandler,
  FindFlagsPage,
  FindFlagsPageHandler,
  GetReadReceipts,
  GetReadReceiptsHandler,
} from '../contexts/messages/queries/flags.js';
import {
  GetMessageHistory,
  GetMessageHistoryHandler,
} from '../contexts/messages/queries/get-message-history.js';
import {
  GetMessages,
  GetMessagesHandler,
  MatchNarrow,
  MatchNarrowHandler,
  messagesReply,
} from '../contexts/messages/queries/get-messages.js';
import { GetTopics, GetTopicsHandler } from '../contexts/messages/queries/get-topics.js';
import {
  RenderResolvedText,
  RenderResolvedTextHandler,
} from '../contexts/messages/queries/render-resolved-text.js';
import { GetMessageState, GetMessageStateHandler } from '../contexts/messages/queries/get-message-state.js';
import type { KnownPeople } from '../access/known-people.js';
import { GetAttachments, GetAttachmentsHandler } from '../contexts/uploads/queries/uploads.js';
import type { UploadReader } from '../contexts/uploads/upload-reader.js';
import { GetUserGroups, GetUserGroupsHandler } from '../contexts/users/queries/user-groups.js';
import { GetUsers, GetUsersHandler } from '../contexts/users/queries/users.js';
import type { SuccessFields } from '../http/envelope.js';
import { RawJson } from '../kernel/json.js';

/** The dependencies of queries in a reader thread. */
export interface ReaderParts {
  readonly log: EventLog;
  readonly index: AuditIndex;
  /** Names of the things that events refer to. */
  readonly names: KnownNames;
  readonly past: PastSources;
  readonly deadline: QueryDeadline;
  readonly messages: MessageReader;
  readonly uploads: UploadReader;
  readonly people: KnownPeople;
  readonly decisions: Decisions;
  readonly listing: ChannelListing;
}

/** Fewer messages than this can be read quickly with any index. */
const FEW = 1_000;

const kinds = [
  define({
    query: GetMessages,
    handler: ({ messages }) => new GetMessagesHandler(messages),
    reply: messagesReply,
    isLong: ({ request: { selection, narrow } }) =>
      mayBeLong(narrow) ||
      (selection.type === 'ids' ? selection.ids.length : selection.before + selection.after) > FEW,
    shape: ({ request: { selection, narrow } }) => `${selection.type} ${shapeOf(narrow)}`,
  }),
  define({
    query: MatchNarrow,
    handler: ({ messages }) => new MatchNarrowHandler(messages),
    reply: (messages) => ({ messages }),
    isLong: ({ narrow, ids }) => mayBeLong(narrow) || ids.length > FEW,
    shape: ({ narrow }) => shapeOf(narrow),
  }),
  define({
    query: FindFlagsPage,
    isForCommand: true,
    handler: ({ messages }) => new FindFlagsPageHandler(messages),
    reply: fields,
    isLong: ({ request: { narrow, page } }) => mayBeLong(narrow) || page.before + page.after > FEW,
    shape: ({ request: { narrow } }) => shapeOf(narrow),
  }),
  define({
    query: FindFlagged,
    isForCommand: true,
    handler: ({ messages }) => new FindFlaggedHandler(messages),
    reply: fields,
    isLong: ({ request: { messageIds } }) => messageIds.length > FEW,
  }),
  define({
    query: GetMessageHistory,
    handler: ({ messages }) => new GetMessageHistoryHandler(messages),
    reply: (versions) => ({ message_history: versions }),
  }),
  define({
    query: GetReadReceipts,
    handler: ({ messages }) => new GetReadReceiptsHandler(messages),
    reply: (userIds) => ({ user_ids: userIds }),
  }),
  define({
    query: GetTopics,
    handler: ({ messages }) => new GetTopicsHandler(messages),
    reply: (topics) => ({ topics }),
  }),
  define({
    query: RenderResolvedText,
    handler: () => new RenderResolvedTextHandler(),
    reply: (rendered) => ({ rendered }),
  }),
  define({
    query: GetMessageState,
    handler: ({ messages }) => new GetMessageStateHandler(messages),
    reply: (members) => new RawJson(`{${members}}`),
  }),
  define({
    query: GetAttachments,
    handler: ({ uploads, messages }) => new GetAttachmentsHandler(uploads, messages),
    reply: fields,
    // A person may have thousands of files.
    isLong: () => true,
  }),
  define({
    query: GetUsers,
    handler: ({ decisions, people }) => new GetUsersHandler(decisions, people),
    reply: (members) => ({ members }),
  }),
  define({
    query: GetUserGroups,
    handler: ({ decisions }) => new GetUserGroupsHandler(decisions),
    reply: (groups) => ({ user_groups: groups }),
  }),
  define({
    query: GetChannels,
    handler: ({ decisions, listing }) => new GetChannelsHandler(decisions, listing),
    reply: (streams) => ({ streams }),
  }),
  define({
    query: GetSubscriptions,
    handler: ({ decisions, listing }) => new GetSubscriptionsHandler(decisions, listing),
    reply: (subscriptions) => ({ subscriptions }),
  }),
  define({
    query: GetLogPage,
    handler: ({ past }) => new GetLogPageHandler(past),
    reply: ({ events, ...members }) => ({ events: new RawJson(events), ...members }),
    isLong: () => true,
  }),
  define({
    query: GetStoredEvent,
    handler: ({ past }) => new GetStoredEventHandler(past),
    reply: fields,
    isLong: () => true,
  }),
  define({
    query: GetMessageTimeline,
    handler: ({ past }) => new GetMessageTimelineHandler(past),
    reply: fields,
    isLong: () => true,
  }),
  define({
    query: GetMessageViews,
    handler: ({ past }) => new GetMessageViewsHandler(past),
    reply: fields,
    isLong: () => true,
  }),
  define({
    query: GetAudience,
    handler: ({ past }) => new GetAudienceHandler(past),
    reply: fields,
    isLong: () => true,
  }),
  define({
    query: GetSeals,
    handler: ({ log }) => new GetSealsHandler(log),
    reply: fields,
  }),
  define({
    query: CheckProofBundle,
    handler: () => new CheckProofBundleHandler(),
    reply: fields,
  }),
  define({
    query: GetPastConversation,
    handler: ({ past }) => new GetPastConversationHandler(past),
    reply: fields,
    isLong: () => true,
  }),
  define({
    query: CompareConversation,
    handler: ({ past }) => new CompareConversationHandler(past),
    reply: fields,
    isLong: () => true,
  }),
  define({
    query: GetConversationChanges,
    handler: ({ past }) => new GetConversationChangesHandler(past),
    reply: fields,
    isLong: () => true,
  }),
];

/** The fields of a reply that is the result itself. */
function fields(result: object): SuccessFields {
  return { ...result };
}

const byName = new Map(kinds.map((kind) => [kind.query.name, kind]));

/** The kind of query with this name. */
export function readerQuery(name: string): AnyReaderQuery<ReaderParts> {
  const kind = byName.get(name);
  if (kind === undefined) throw new Error(`Reader threads do not know the query ${name}`);
  return kind;
}

/** Defines a kind of query. Kinds are found by name, so each gets only instances of its own class. */
function define<Asked extends CallersQuery, Result>(
  kind: ReaderQuery<Asked, Result, ReaderParts>,
): AnyReaderQuery<ReaderParts> {
  return kind;
}
