import type { IQueryHandler } from '@nestjs/cqrs';
import { shownTopic } from '../../../events/values/message-text.js';
import type { Caller } from '../../../http/caller.js';
import { isFetched, type InitialState, type LaterState } from '../../../realtime/initial-state.js';
import type { ClientCapabilities } from '../../../realtime/queues/client-capabilities.js';
import { topicFormat } from '../../../realtime/queues/queue-options.js';
import { isShownChannel } from '../../../realtime/mapper.js';
import { MessageReader } from '../message-reader.js';
import type { QuerySession } from '../query-session.js';
import { Query, QueryHandler } from '../../../runtime/nest-decorators.js';
import { stopWords } from '../text-search/words.js';
import { MAX_UNREAD, unreadObject } from '../flags/unread-messages.js';
import { jsonMembersOf } from '../../../kernel/json.js';

/** Parts of the initial state that depend on which messages exist. */
const messageParts = ['message', 'starred_messages', 'recent_private_conversations'] as const;

/** One of {@link messageParts}. */
type MessagePart = (typeof messageParts)[number];

/** How many of the newest direct messages are searched for recent conversations. */
const MAX_DIRECT_MESSAGES = 1000;

/**
 * The parts of a person's initial state that depend on messages, as members of a JSON object in text; empty
 * where no part is requested.
 */
export class GetMessageState extends Query<string> {
  constructor(
    readonly caller: Caller,
    readonly request: {
      readonly parts: readonly MessagePart[];
      /**
       * Whether `message` includes what is unread: for clients that receive the events of both messages and
       * flags.
       */
      readonly withUnread: boolean;
      /** Id of the last message that is included; later ones come as events. */
      readonly through: number;
      readonly capabilities: ClientCapabilities;
    },
  ) {
    super();
  }
}

@QueryHandler(GetMessageState)
export class GetMessageStateHandler implements IQueryHandler<GetMessageState> {
  constructor(private readonly messages: MessageReader) {}

  async execute({ caller, request }: GetMessageState): Promise<string> {
    const session = await this.messages.open(caller);
    const fields: object[] = [];
    for (const part of request.parts) fields.push(await readPart(part, session, request));
    return jsonMembersOf(Object.assign({}, ...fields) as object);
  }
}

function readPart(
  part: MessagePart,
  session: QuerySession,
  request: GetMessageState['request'],
): Promise<object> {
  switch (part) {
    case 'message':
      return latestAndUnread(session, request);
    case 'starred_messages':
      return session.starred().then((ids) => ({ starred_messages: ids }));
    case 'recent_private_conversations':
      return recentConversations(session, request);
  }
}

async function latestAndUnread(
  session: QuerySession,
  { through, withUnread, capabilities }: GetMessageState['request'],
): Promise<object> {
  const latest = await session.latestEver(through);
  const members = { max_message_id: latest?._id ?? -1 };
  if (!withUnread) return members;
  const { user, snapshot, attention } = session.context;
  const reader = {
    userId: user.id,
    directory: snapshot.directory,
    attention,
    shownTopic: (topic: string) => shownTopic(topic, topicFormat({ capabilities })),
    isShownChannel: (id: number) => isShownChannel(id, snapshot.directory, { capabilities }),
  };
  // Reading one more than is returned tells whether there are more.
  const unread = await session.unread({ through, limit: MAX_UNREAD + 1 });
  return { ...members, unread_msgs: unreadObject(unread, reader) };
}

async function recentConversations(
  session: QuerySession,
  { through }: GetMessageState['request'],
): Promise<object> {
  const recent = await session.recentConversations({ through, limit: MAX_DIRECT_MESSAGES });
  const ownId = session.context.user.id;
  return {
    recent_private_conversations: recent.map(({ _id, participantIds }) => ({
      user_ids: (participantIds ?? []).filter((id) => id !== ownId),
      max_message_id: _id,
    })),
  };
}

/** Initial state that concerns messages in general and depends on none of them. */
export const messageState: InitialState = {
  // Clients show that these words are not searched for.
  stop_words: () => ({ stop_words: [...stopWords] }),
};

/** Initial state that depends on which messages exist: unread, starred and recent ones. */
export const laterMessageState: LaterState = (request) => {
  const { caller, through, capabilities } = request;
  const parts = messageParts.filter((part) => isFetched(request, part));
  const withUnread = isFetched(request, 'update_message_flags');
  return parts.length === 0
    ? null
    : new GetMessageState(caller, { parts, withUnread, through, capabilities });
};
