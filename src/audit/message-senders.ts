import { MessageSent } from '../events/messages.js';
import type { RecordedEvent } from '../kernel/event.js';
import { idAtRevision } from '../kernel/ids.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { decodeReadable, isReadable } from '../stores/event-store/readable-events.js';

/** The stream of one message, as opposed to that of all messages. */
const messageStreamForm = /^message-(\d+)$/;

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

  /** Whether the actor changed a message that another person sent. */
  isOfOthers({ stream, data, metadata: { actorId } }: RecordedEvent): boolean {
    const named = (data as { readonly messageId?: unknown } | null)?.messageId;
    const id = Number(messageStreamForm.exec(stream)?.[1] ?? named);
    const senderId = this.senders[id] ?? 0;
    return actorId !== null && senderId !== 0 && senderId !== actorId;
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
