import type { MessageDocument } from '../message-document.js';
import { shownTopic } from '../../../events/values/message-text.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import { topicFormat } from '../../../realtime/queues/queue-options.js';
import type { Receiver } from '../../../realtime/mapper.js';

/** Where the messages lay as their readers knew it. */
export type LostPlace = Pick<MessageDocument, 'channelId' | 'topic'>;

/** What clients are told when messages are gone, or gone for them: all at once, or, where they know no better, one by one. */
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
