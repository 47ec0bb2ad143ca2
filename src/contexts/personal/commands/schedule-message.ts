import { budgets } from '../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { MessageComposer, type MessageRequest } from '../../messages/message-composer.js';
import { refuseNotFuture } from '../due-time.js';
import type { MessageScheduled } from '../../../events/personal.js';
import { PersonalChanges } from '../personal-changes.js';
import { plannedMessage, type PlannedMessage } from '../planned-message.js';
import { scheduledMessagesFold, type ScheduledMessages } from '../scheduled-messages.js';

/** Lets a message wait for its time (facts, section 5, POST scheduled_messages). Answers its id. */
export class ScheduleMessage extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly request: MessageRequest,
    /** Seconds since the UNIX epoch. */
    readonly dueAt: number,
  ) {
    super();
  }
}

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

@CommandHandler(ScheduleMessage)
export class ScheduleMessageHandler implements ICommandHandler<ScheduleMessage> {
  constructor(
    private readonly personal: PersonalChanges,
    private readonly composer: MessageComposer,
  ) {}

  /** @throws ApplicationError also when the person may not send this now */
  async execute({ caller, request, dueAt }: ScheduleMessage): Promise<number> {
    const { event, moment } = await this.composer.compose(caller, request);
    const planned = plannedMessage(event.data, { dueAt, client: caller.client });
    const [scheduled] = await this.personal.apply(caller, {
      fold: scheduledMessagesFold,
      decide: (state) => decideScheduleMessage(state, planned, moment.now),
    });
    if (scheduled === undefined) throw failure('internalError');
    return scheduled.data.scheduledId;
  }
}
