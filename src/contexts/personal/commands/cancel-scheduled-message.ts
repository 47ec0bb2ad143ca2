import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import type { ScheduledMessageCancelled } from '../../../events/personal.js';
import { PersonalChanges } from '../personal-changes.js';
import { scheduledMessagesFold, type ScheduledMessages } from '../scheduled-messages.js';

/** Takes a scheduled message back (facts, section 5, DELETE scheduled_messages). */
export class CancelScheduledMessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly scheduledId: number,
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchScheduledMessage`, also once its time came */
export function decideCancelScheduledMessage(
  { waiting }: ScheduledMessages,
  { userId, scheduledId }: { readonly userId: number; readonly scheduledId: number },
): readonly EventOf<typeof ScheduledMessageCancelled>[] {
  if (!waiting.has(scheduledId)) throw failure('noSuchScheduledMessage');
  return [{ type: 'ScheduledMessageCancelled', data: { userId, scheduledId } }];
}

@CommandHandler(CancelScheduledMessage)
export class CancelScheduledMessageHandler implements ICommandHandler<CancelScheduledMessage> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, scheduledId }: CancelScheduledMessage): Promise<void> {
    const { userId } = caller;
    await this.personal.apply(caller, {
      fold: scheduledMessagesFold,
      decide: (state) => decideCancelScheduledMessage(state, { userId, scheduledId }),
    });
  }
}
