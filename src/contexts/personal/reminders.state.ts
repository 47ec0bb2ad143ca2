import { streamsOf } from '../../kernel/stream.js';
import { personalStream } from '../../events/personal-stream.js';
import type { Fold } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import type { ReminderEvent } from '../../events/personal.js';

/** The reminders that a person awaits; what they say is only in the log and in the read model. */
export interface Reminders {
  /** When each is due, by its id: seconds since the UNIX epoch. */
  readonly awaited: PersistentMap<number, number>;
  /** Revision that the next event of the stream will have. */
  readonly nextRevision: number;
}

/** The reminders that a person awaits, by their stream, whose other events change nothing here. */
export const remindersFold: Fold<Reminders, RecordedEvent<ReminderEvent>> = {
  snapshot: { name: 'reminders', version: 1 },
  initial: { awaited: PersistentMap.empty(), nextRevision: 0 },
  evolve({ awaited }, event) {
    const nextRevision = event.revision + 1;
    switch (event.type) {
      case 'ReminderRequested':
        return { awaited: awaited.set(event.data.reminderId, event.data.dueAt), nextRevision };
      case 'ReminderCancelled':
      case 'ReminderTriggered':
        return { awaited: awaited.delete(event.data.reminderId), nextRevision };
      default:
        return { awaited, nextRevision };
    }
  },
};

/** A person's reminders, for decisions about them. */
export const remindersOf = streamsOf(personalStream, remindersFold);
