import type {
  MessageScheduled,
  ScheduledMessageChanged,
  ScheduledMessageCancelled,
  ScheduledMessageFailed,
  ScheduledMessageTriggered,
} from '../../events/personal.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { refuseNotFuture } from './due-time.js';
import type { PlannedMessage } from './planned-message.js';
import type { ScheduledMessages } from './scheduled-messages.state.js';

/** @throws ApplicationError when the time has passed, or as many messages wait as may */
export function decideScheduleMessage(
  { waiting, nextRevision }: ScheduledMessages,
  planned: PlannedMessage,
  /** Milliseconds since the UNIX epoch. */
  now: number,
): readonly EventOf<typeof MessageScheduled>[] {
  refuseNotFuture(planned.dueAt, now);
  if (waiting.size >= budgets.scheduledMessages.max) throw failure('tooManyScheduledMessages');
  return [{ type: 'MessageScheduled', data: { ...planned, scheduledId: nextRevision + 1 } }];
}

/** A change of one version of a scheduled message. */
export interface ScheduledChange {
  readonly scheduledId: number;
  /** Revision of the event that made the message what the change was worked out from. */
  readonly from: number;
  readonly planned: PlannedMessage;
}

/**
 * No events when the message was changed meanwhile.
 *
 * @throws ApplicationError `noSuchScheduledMessage`, `dueTimePassed`
 */
export function decideChangeScheduledMessage(
  { waiting }: ScheduledMessages,
  { scheduledId, from, planned }: ScheduledChange,
  /** Milliseconds since the UNIX epoch. */
  now: number,
): readonly EventOf<typeof ScheduledMessageChanged>[] {
  const message = waiting.get(scheduledId);
  if (message === undefined) throw failure('noSuchScheduledMessage');
  if (message.revision !== from) return [];
  refuseNotFuture(planned.dueAt, now);
  return [{ type: 'ScheduledMessageChanged', data: { ...planned, scheduledId } }];
}

/** @throws ApplicationError `noSuchScheduledMessage`, also once its time came */
export function decideCancelScheduledMessage(
  { waiting }: ScheduledMessages,
  { userId, scheduledId }: { readonly userId: number; readonly scheduledId: number },
): readonly EventOf<typeof ScheduledMessageCancelled>[] {
  if (!waiting.has(scheduledId)) throw failure('noSuchScheduledMessage');
  return [{ type: 'ScheduledMessageCancelled', data: { userId, scheduledId } }];
}

/** What becomes of a message whose time has come: it is sent next, or it could not be. */
export type Outcome = EventOf<typeof ScheduledMessageTriggered> | EventOf<typeof ScheduledMessageFailed>;

/** Nothing happens to a message that does not wait any more, or was changed since the outcome was worked out. */
export function decideTriggerScheduledMessage(
  { waiting }: ScheduledMessages,
  outcome: Outcome,
  /** Revision of the event that made the message what it was then. */
  revision: number,
): readonly Outcome[] {
  const message = waiting.get(outcome.data.scheduledId);
  return message === undefined || message.isFailed || message.revision !== revision ? [] : [outcome];
}
