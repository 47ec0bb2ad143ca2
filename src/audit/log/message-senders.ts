import { contentOwner, messageOf, type ContentOwner } from '../../contexts/audit-index/facets.js';
import { MessageSent } from '../../events/messages.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import { idAtRevision } from '../../kernel/ids.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { decodeReadable, isReadable } from '../../stores/event-store/readable-events.js';

/** Knows who sent each message of the log, with one number in memory per message. */
class MessageSenders {
  /** Indexed by message id; 0: unknown. */
  private readonly senders: number[] = [];

  /** Learns the sender of a message that was sent. */
  learn({ revision, data }: Pick<RecordedEvent, 'revision' | 'data'>): void {
    const { senderId } = data as { readonly senderId: number };
    const messageId = idAtRevision(revision);
    while (this.senders.length <= messageId) this.senders.push(0);
    this.senders[messageId] = senderId;
  }

  /** Whose message the actor sent or changed, as the index of the log has it; null: no message, or its sender is unknown. */
  contentOwner(event: RecordedEvent): ContentOwner | null {
    return contentOwner(event.metadata.actorId, this.senderOf(event));
  }

  private senderOf(event: RecordedEvent): number | null {
    if (isEvent(event, MessageSent)) return event.data.senderId;
    const messageId = messageOf(event);
    return messageId === null ? null : this.senders[messageId] || null;
  }
}

/** Reads the senders of all messages, as far as the log can be read. */
export async function readMessageSenders(log: EventLog): Promise<MessageSenders> {
  const senders = new MessageSenders();
  for await (const { events } of log.store.readAll({ after: null, types: [MessageSent.type] })) {
    for (const event of await decodeReadable(log, events)) if (isReadable(event)) senders.learn(event);
  }
  return senders;
}
