import type {
  MissedMessageEvent,
  MissedMessagesMailed,
  MissedMessagesPassed,
} from '../../events/missed-messages.js';
import type { Fold } from '../../kernel/fold.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { streamsOf } from '../../kernel/decision.js';

/** How many handled messages are remembered: more than the read model may lag behind. */
const REMEMBERED = 1000;

/** An event that says that missed messages need no e-mail any more: they were in one, or were read. */
export type HandlingEvent = EventOf<typeof MissedMessagesMailed> | EventOf<typeof MissedMessagesPassed>;

/** Ids of the latest messages about which a person needs no e-mail any more. */
export type HandledMessages = readonly number[];

/** Folds the messages about which a person needs no e-mail any more. */
export const handledFold: Fold<HandledMessages, RecordedEvent<HandlingEvent>> = {
  snapshot: { name: 'settled-missed-messages', version: 1 },
  initial: [],
  evolve: (settled, { data }) => [...settled, ...data.settledIds].slice(-REMEMBERED),
};

/** The stream of a person's e-mails about missed messages. */
export const missedMailOf = streamsOf((userId) => `missed-mail-${userId}`, handledFold);

/** Ids of the people who got a push notification of a message, need none, or get none because it is too late. */
export type PushedPeople = ReadonlySet<number>;

const pushedFold: Fold<PushedPeople, RecordedEvent<MissedMessageEvent>> = {
  initial: new Set(),
  evolve: (settled, event) => {
    if (event.type === 'MissedMessagePushed')
      return new Set([...settled, ...event.data.userIds, ...event.data.passedUserIds]);
    if (event.type === 'MissedMessagePushDropped') return new Set([...settled, ...event.data.userIds]);
    return settled;
  },
};

/** Name of the stream with a message's notifications. */
export function missedStream(messageId: number): string {
  return `missed-${messageId}`;
}

/** The stream of a message's notifications, folded into the people who need none any more. */
export const pushedOf = streamsOf(missedStream, pushedFold);
