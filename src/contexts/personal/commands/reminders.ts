import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { isLongerThan } from '../../../kernel/text.js';
import { failure } from '../../../kernel/errors.js';
import { MessageReader } from '../../messages/message-reader.js';
import { Decisions } from '../../../http/decisions.js';
import { reminderText } from '../reminder-text.js';
import { remindersOf } from '../reminders.state.js';
import {
  maxNoteLength,
  decideRequestReminder,
  composeReminder,
  decideCancelReminder,
} from '../reminders.decide.js';

/** Requests a reminder of a message (`POST /reminders`). Returns the reminder's id. */
export class RequestReminder extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly request: {
      readonly messageId: number;
      /** Seconds since the UNIX epoch. */
      readonly dueAt: number;
      readonly note: string;
    },
  ) {
    super();
  }
}

@CommandHandler(RequestReminder)
export class RequestReminderHandler implements ICommandHandler<RequestReminder> {
  constructor(
    private readonly decisions: Decisions,
    private readonly messages: MessageReader,
  ) {}

  /**
   * @throws ApplicationError `invalidMessage`, the same for a message that does not exist and one that the
   * caller cannot see
   */
  async execute({ caller, request: { messageId, dueAt, note } }: RequestReminder): Promise<number> {
    if (isLongerThan(note, maxNoteLength)) throw failure('reminderNoteTooLong');
    const { snapshot } = this.decisions.actor(caller);
    const message = await (await this.messages.open(caller)).locate(messageId);
    if (message === null) throw failure('invalidMessage');
    const text = composeReminder(reminderText(message, note, snapshot), caller.userId, snapshot);
    const {
      events: [requested],
    } = await this.decisions.decide(caller, remindersOf(caller.userId), (reminders) =>
      decideRequestReminder(reminders, { userId: caller.userId, messageId, dueAt, text }, snapshot),
    );
    if (requested === undefined) throw failure('internalError');
    return requested.data.reminderId;
  }
}

/** Cancels a reminder before it is due (`DELETE /reminders/{reminder_id}`). */
export class CancelReminder extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly reminderId: number,
  ) {
    super();
  }
}

@CommandHandler(CancelReminder)
export class CancelReminderHandler implements ICommandHandler<CancelReminder> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, reminderId }: CancelReminder): Promise<void> {
    const { userId } = caller;
    await this.decisions.decide(caller, remindersOf(caller.userId), (reminders) =>
      decideCancelReminder(reminders, { userId, reminderId }),
    );
  }
}
