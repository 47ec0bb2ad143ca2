import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import type { ReminderCancelled } from '../../../events/personal.js';
import { PersonalChanges } from '../personal-changes.js';
import { remindersFold, type Reminders } from '../reminders.js';

/** Takes a reminder back before it comes due (DELETE /reminders/{reminder_id}). */
export class CancelReminder extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly reminderId: number,
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchReminder`, also once it came due */
export function decideCancelReminder(
  { awaited }: Reminders,
  { userId, reminderId }: { readonly userId: number; readonly reminderId: number },
): readonly EventOf<typeof ReminderCancelled>[] {
  if (!awaited.has(reminderId)) throw failure('noSuchReminder');
  return [{ type: 'ReminderCancelled', data: { userId, reminderId } }];
}

@CommandHandler(CancelReminder)
export class CancelReminderHandler implements ICommandHandler<CancelReminder> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, reminderId }: CancelReminder): Promise<void> {
    const { userId } = caller;
    await this.personal.apply(caller, {
      fold: remindersFold,
      decide: (reminders) => decideCancelReminder(reminders, { userId, reminderId }),
    });
  }
}
