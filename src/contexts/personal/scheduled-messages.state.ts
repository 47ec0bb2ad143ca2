import { streamsOf } from '../../kernel/stream.js';
import { personalStream } from '../../events/personal-stream.js';
import type { Fold } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import type { ScheduledMessageEvent } from '../../events/personal.js';

/** A message that waits for its time, as decisions see it. */
export interface ScheduledMessage {
  /** Seconds since the UNIX epoch. */
  readonly dueAt: number;
  /** Revision of the event that made it what it is. */
  readonly revision: number;
  /** Whether it could not be sent when its time came: then it waits to be changed. */
  readonly isFailed: boolean;
}

/** The messages that a person has scheduled; what they say is only in the log and in the read model. */
export interface ScheduledMessages {
  readonly waiting: PersistentMap<number, ScheduledMessage>;
  /** Revision that the next event of the stream will have. */
  readonly nextRevision: number;
}

/** What a person has scheduled, by their stream, whose other events change nothing here. */
export const scheduledMessagesFold: Fold<ScheduledMessages, RecordedEvent<ScheduledMessageEvent>> = {
  snapshot: { name: 'scheduled-messages', version: 1 },
  initial: { waiting: PersistentMap.empty(), nextRevision: 0 },
  evolve({ waiting }, event) {
    return { waiting: evolveWaiting(waiting, event), nextRevision: event.revision + 1 };
  },
};

/** A person's scheduled messages, for decisions about them. */
export const scheduledMessagesOf = streamsOf(personalStream, scheduledMessagesFold);

function evolveWaiting(
  waiting: ScheduledMessages['waiting'],
  event: RecordedEvent<ScheduledMessageEvent>,
): ScheduledMessages['waiting'] {
  switch (event.type) {
    case 'MessageScheduled':
    case 'ScheduledMessageChanged': {
      const { scheduledId, dueAt } = event.data;
      return waiting.set(scheduledId, { dueAt, revision: event.revision, isFailed: false });
    }
    case 'ScheduledMessageFailed': {
      const message = waiting.get(event.data.scheduledId);
      return message === undefined
        ? waiting
        : waiting.set(event.data.scheduledId, { ...message, isFailed: true });
    }
    case 'ScheduledMessageCancelled':
    case 'ScheduledMessageTriggered':
      return waiting.delete(event.data.scheduledId);
    default:
      return waiting;
  }
}
