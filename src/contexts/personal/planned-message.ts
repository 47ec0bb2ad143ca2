import type { MessageSent, Recipient } from '../../events/messages.js';
import type { MessageScheduled } from '../../events/personal.js';
import { toSeconds } from '../../kernel/clock.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import type { Addressee } from '../messages/sending/recipients.js';

/** The stored form of a scheduled message. */
export type PlannedMessage = Omit<EventOf<typeof MessageScheduled>['data'], 'scheduledId'>;

/** When a message is to be sent, and by which client. */
interface Plan {
  /** Seconds since the UNIX epoch. */
  readonly dueAt: number;
  readonly client: string;
}

/** The stored form of a message that could be sent now; mentions are resolved when it is sent. */
export function plannedMessage(
  { senderId, recipient, content, references, readBySender }: EventOf<typeof MessageSent>['data'],
  { dueAt, client }: Plan,
): PlannedMessage {
  return { userId: senderId, recipient, content, references, readBySender, dueAt, client };
}

/** The addressee of a request that would be sent to the same recipient. */
export function addresseeOfRecipient(recipient: Recipient): Addressee {
  switch (recipient.type) {
    case 'channel':
      return { type: 'channel', channel: recipient.channelId, topic: recipient.topic };
    case 'direct':
      return { type: 'direct', people: recipient.userIds };
  }
}

/**
 * @param dueAt seconds since the UNIX epoch
 * @param now milliseconds since the UNIX epoch
 * @throws ApplicationError `dueTimePassed`
 */
export function refuseNotFuture(dueAt: number, now: number): void {
  if (dueAt <= toSeconds(now)) throw failure('dueTimePassed');
}
