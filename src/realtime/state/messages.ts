import { idsIn } from '../../messages/flags/id-ranges.js';
import { shownTopic } from '../../messages/text.js';
import { topicFormat } from '../queues/queue-options.js';
import { isFetched, type InitialState, type StateFields, type StateRequest } from './initial-state.js';
import { mostUnread, unreadObject } from './unread-messages.js';

/** So many of the newest direct messages say which conversations are recent. */
const directMessagesLookedAt = 1000;

/** Messages: which there are, and how the person stands to them. */
export const messageState: InitialState = {
  message: async (request) => ({
    max_message_id: request.moment.lastMessageId === 0 ? -1 : request.moment.lastMessageId,
    // Told of only to who will be told of both messages and flags.
    ...(isFetched(request, 'update_message_flags') && (await unread(request))),
  }),
  starred_messages: async ({ messages, user }) => ({
    starred_messages: idsIn((await messages.flags(user.id)).flags.starred),
  }),
  recent_private_conversations: async ({ messages, user, moment }) => {
    const reading = await messages.open({ userId: user.id });
    const range = { through: moment.lastMessageId, limit: directMessagesLookedAt };
    const recent = await reading.recentConversations(range);
    return {
      recent_private_conversations: recent.map(({ _id, participantIds }) => ({
        user_ids: (participantIds ?? []).filter((id) => id !== user.id),
        max_message_id: _id,
      })),
    };
  },
};

async function unread({ messages, user, moment, options, models }: StateRequest): Promise<StateFields> {
  const reading = await messages.open({ userId: user.id });
  // One more than is told tells whether there are more.
  const range = { through: moment.lastMessageId, limit: mostUnread + 1 };
  const reader = {
    userId: user.id,
    directory: moment.directory,
    attention: await models.attention(user.id),
    shownTopic: (topic: string) => shownTopic(topic, topicFormat(options)),
  };
  return { unread_msgs: unreadObject(await reading.unread(range), reader) };
}
