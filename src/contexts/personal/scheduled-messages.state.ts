import { streamsOf } from '../../kernel/decision.js';
import { personalStream, type ScheduledMessageEvent } from '../../events/personal.js';
import type { Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';

/** A waiting scheduled message, as decisions need it. */
interface ScheduledMessage {
  /** Seconds since the UNIX epoch. */
  readonly dueAt: number;
  /** Revision of the event that last changed it. */
  readonly revision: number;
  /** Whether it could not be sent when it was due: then it waits to be changed. */
  readonly isFailed: boolean;
}

/** A person's scheduled messages, without their content, which is only in the log and in the read model. */
export interface ScheduledMessages {
  readonly waiting: PersistentMap<number, ScheduledMessage>;
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

/** Folds a person's scheduled messages out of their stream, whose other events are ignored. */
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
