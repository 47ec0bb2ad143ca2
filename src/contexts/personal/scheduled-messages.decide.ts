import type { MessageSent } from '../../events/messages.js';
import type {
  MessageScheduled,
  ScheduledMessageChanged,
  ScheduledMessageCancelled,
  ScheduledMessageFailed,
  ScheduledMessageTriggered,
} from '../../events/personal.js';
import { budgets } from '../../kernel/budgets.js';
import { failure, type ApplicationError } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { idAtRevision } from '../../kernel/ids.js';
import { refuseNotFuture, type PlannedMessage } from './planned-message.js';
import type { ScheduledMessages } from './scheduled-messages.state.js';

/** @throws ApplicationError when the time has passed, or the person has too many waiting messages */
export function decideScheduleMessage(
  { waiting, nextRevision }: ScheduledMessages,
  planned: PlannedMessage,
  /** Milliseconds since the UNIX epoch. */
  now: number,
): readonly EventOf<typeof MessageScheduled>[] {
  refuseNotFuture(planned.dueAt, now);
  if (waiting.size >= budgets.scheduledMessages.max) throw failure('tooManyScheduledMessages');
  return [{ type: 'MessageScheduled', data: { ...planned, scheduledId: idAtRevision(nextRevision) } }];
}

/** A change of one version of a scheduled message. */
interface ScheduledChange {
  readonly scheduledId: number;
  /** Revision of the event that made the version which the change is based on. */
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

/** @throws ApplicationError `noSuchScheduledMessage`, also once it was triggered */
export function decideCancelScheduledMessage(
  { waiting }: ScheduledMessages,
  { userId, scheduledId }: { readonly userId: number; readonly scheduledId: number },
): readonly EventOf<typeof ScheduledMessageCancelled>[] {
  if (!waiting.has(scheduledId)) throw failure('noSuchScheduledMessage');
  return [{ type: 'ScheduledMessageCancelled', data: { userId, scheduledId } }];
}

/** The result for a due message: it is sent next, or it could not be. */
export type Outcome = EventOf<typeof ScheduledMessageTriggered> | EventOf<typeof ScheduledMessageFailed>;

/** A message that waits, as it is triggered. */
interface TriggeredMessage {
  readonly userId: number;
  readonly scheduledId: number;
  /** The client that scheduled it. */
  readonly client: string;
}

/** The outcome for a message that may be sent now. */
export function outcomeOfSending(
  { userId, scheduledId, client }: TriggeredMessage,
  { data: { senderId: _sender, ...sent } }: EventOf<typeof MessageSent>,
): Outcome {
  return { type: 'ScheduledMessageTriggered', data: { userId, scheduledId, client, ...sent } };
}

/** The outcome for a message that may not be sent. */
export function outcomeOfRefusal(
  { userId, scheduledId }: Pick<TriggeredMessage, 'userId' | 'scheduledId'>,
  { message: reason }: ApplicationError,
): Outcome {
  return { type: 'ScheduledMessageFailed', data: { userId, scheduledId, reason } };
}

/** No events for a message that does not wait any more, or was changed meanwhile. */
export function decideTriggerScheduledMessage(
  { waiting }: ScheduledMessages,
  outcome: Outcome,
  /** Revision of the event that made the version which was checked. */
  revision: number,
): readonly Outcome[] {
  const message = waiting.get(outcome.data.scheduledId);
  return message === undefined || message.isFailed || message.revision !== revision ? [] : [outcome];
}

/** Sends a triggered message as its sender. */
export function decideSendScheduledMessage({
  userId,
  scheduledId: _id,
  client: _client,
  ...message
}: EventOf<typeof ScheduledMessageTriggered>['data']): readonly EventOf<typeof MessageSent>[] {
  return [{ type: 'MessageSent', data: { senderId: userId, ...message } }];
}
