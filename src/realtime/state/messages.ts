import type { Reading } from '../../messages/reading.js';
import { shownTopic } from '../../messages/text.js';
import { isShownChannel } from '../shown-channels.js';
import { topicFormat } from '../queues/queue-options.js';
import { isFetched, type InitialState, type StateFields, type StateRequest } from './initial-state.js';
import { mostUnread, unreadObject } from './unread-messages.js';

/** So many of the newest direct messages say which conversations are recent. */
const directMessagesLookedAt = 1000;

/** Messages: which there are, and how the person stands to them. */
export const messageState: InitialState = {
  message: async (request) => {
    const reading = await request.messages.open({ userId: request.user.id });
    const latest = await reading.latestPersonal(request.moment.lastMessageId);
    return {
      max_message_id: latest?._id ?? -1,
      // Told of only to who will be told of both messages and flags.
      ...(isFetched(request, 'update_message_flags') && (await unread(reading, request))),
    };
  },
  starred_messages: async ({ messages, user }) => ({
    starred_messages: await (await messages.open({ userId: user.id })).starred(),
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

async function unread(
  reading: Reading,
  { user, moment, options, models }: StateRequest,
): Promise<StateFields> {
  // One more than is told tells whether there are more.
  const range = { through: moment.lastMessageId, limit: mostUnread + 1 };
  const reader = {
    userId: user.id,
    directory: moment.directory,
    attention: await models.attention(user.id),
    shownTopic: (topic: string) => shownTopic(topic, topicFormat(options)),
    isShownChannel: (id: number) => isShownChannel(id, moment.directory, options),
  };
  return { unread_msgs: unreadObject(await reading.unread(range), reader) };
}
