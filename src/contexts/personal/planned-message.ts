import type { EventOf } from '../../kernel/event.js';
import type { MessageSent, Recipient } from '../../events/messages.js';
import type { Addressee } from '../messages/recipients.js';
import type { MessageScheduled } from '../../events/personal.js';

/** What is kept of a message that waits for its time. */
export type PlannedMessage = Omit<EventOf<typeof MessageScheduled>['data'], 'scheduledId'>;

/** When a message is to be sent, and in which client's name. */
export interface Plan {
  /** Seconds since the UNIX epoch. */
  readonly dueAt: number;
  readonly client: string;
}

/** What is kept of a message that could be sent now; whom it mentions shows when it is sent. */
export function plannedMessage(
  { senderId, recipient, content, references, readBySender }: EventOf<typeof MessageSent>['data'],
  { dueAt, client }: Plan,
): PlannedMessage {
  return { userId: senderId, recipient, content, references, readBySender, dueAt, client };
}

/** Whom a request would name to write to the same place. */
export function addresseeOfRecipient(recipient: Recipient): Addressee {
  switch (recipient.type) {
    case 'channel':
      return { type: 'channel', channel: recipient.channelId, topic: recipient.topic };
    case 'direct':
      return { type: 'direct', people: recipient.userIds };
  }
}
