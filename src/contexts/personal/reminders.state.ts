import { streamsOf } from '../../kernel/decision.js';
import { personalStream, type ReminderEvent } from '../../events/personal.js';
import type { Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';

/** A person's open reminders, without their content, which is only in the log and in the read model. */
export interface Reminders {
  /** When each is due, by its id: seconds since the UNIX epoch. */
  readonly awaited: PersistentMap<number, number>;
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

/** Folds a person's open reminders out of their stream, whose other events are ignored. */
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
