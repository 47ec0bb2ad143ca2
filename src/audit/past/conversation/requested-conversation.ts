import { conversationKey } from '../../../contexts/messages/conversation-documents.js';
import { standardTopic, topicKey } from '../../../events/values/message-text.js';
import { failure } from '../../../kernel/errors.js';
import { sortedIds } from '../../../kernel/ids.js';
import type { ConversationParameters } from './conversation.parameters.js';
import type { Conversation } from './conversation.js';

/** Parses which conversation is requested. The topic may be the display name of the empty one. @throws ApplicationError `noConversation` */
export function requestedConversation({
  channel_id: channelId,
  topic,
  user_ids: userIds,
}: ConversationParameters): Conversation {
  if (channelId !== undefined && userIds === undefined)
    return {
      type: 'channel',
      channelId,
      topicKey: topic === undefined ? null : topicKey(standardTopic(topic)),
    };
  if (userIds === undefined || channelId !== undefined || topic !== undefined)
    throw failure('noConversation');
  const everyone = sortedIds(userIds);
  return { type: 'direct', key: conversationKey(everyone), userIds: everyone };
}
