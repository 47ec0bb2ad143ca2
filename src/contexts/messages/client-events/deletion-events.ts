import type { MessageDocument } from '../message-document.js';
import { shownTopic } from '../../../events/values/message-text.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import { topicFormat } from '../../../realtime/queues/queue-options.js';
import type { Receiver } from '../../../realtime/mapper.js';

/** Where the messages lay when their readers last saw them. */
export type LostPlace = Pick<MessageDocument, 'channelId' | 'topic'>;

/**
 * The client events for messages that are gone, or that somebody can no longer see: one event for all of
 * them, or one for each where the client lacks the capability for that.
 */
export function deletionEvents(
  { channelId, topic }: LostPlace,
  messageIds: readonly number[],
): (receiver: Pick<Receiver, 'options'>) => readonly ClientEvent[] {
  return ({ options }) => {
    const place =
      channelId === null
        ? { message_type: 'private' }
        : {
            message_type: 'stream',
            stream_id: channelId,
            topic: shownTopic(topic ?? '', topicFormat(options)),
          };
    if (options.capabilities.bulk_message_deletion) {
      return [{ type: 'delete_message', message_ids: messageIds, ...place }];
    }
    return messageIds.map((id) => ({ type: 'delete_message', message_id: id, ...place }));
  };
}
