import type {
  MissedMessageEvent,
  MissedMessagesMailed,
  MissedMessagesPassed,
} from '../../events/missed-messages.js';
import type { Fold } from '../../kernel/decider.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { streamsOf } from '../../kernel/stream.js';

/** How many settled messages are remembered: the read model lags behind by fewer. */
const remembered = 1000;

/** What was settled of the messages that somebody missed: they were written to about them, or need not be. */
export type SettlingEvent = EventOf<typeof MissedMessagesMailed> | EventOf<typeof MissedMessagesPassed>;

/** Ids of the messages that somebody need not be written about any more, the latest. */
export type SettledMessages = readonly number[];

/** What a person need not be written about any more, by the stream of what they were written about. */
export const settledFold: Fold<SettledMessages, RecordedEvent<SettlingEvent>> = {
  snapshot: { name: 'settled-missed-messages', version: 1 },
  initial: [],
  evolve: (settled, { data }) => [...settled, ...data.settledIds].slice(-remembered),
};

/** What a person was written about, by the person's id. */
export const missedMailOf = streamsOf((userId) => `missed-mail-${userId}`, settledFold);

/** Who was sent a notification of a message, or need not be. */
export type PushedPeople = ReadonlySet<number>;

const pushedFold: Fold<PushedPeople, RecordedEvent<MissedMessageEvent>> = {
  initial: new Set(),
  evolve: (settled, event) =>
    event.type === 'MissedMessagePushed'
      ? new Set([...settled, ...event.data.userIds, ...event.data.passedUserIds])
      : settled,
};

/** The stream of who is told of a message. */
export function missedStream(messageId: number): string {
  return `missed-${messageId}`;
}

/** Who was told of a message, by the message's id. */
export const pushedOf = streamsOf(missedStream, pushedFold);
