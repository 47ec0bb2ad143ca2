import { budgets } from '../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { isLongerThan } from '../../../kernel/bounded-text.js';
import { limits } from '../../../events/values/organization-defaults.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { composeNotice, noUploads, type ComposedText } from '../../messages/compose-text.js';
import { MessageReader } from '../../messages/message-reader.js';
import { systemBotIds } from '../../organization/system-bots.js';
import type { Moment } from '../../../access/moment.js';
import type { ReminderRequested } from '../../../events/personal.js';
import { refuseNotFuture } from '../due-time.js';
import { PersonalChanges } from '../personal-changes.js';
import { reminderText } from '../reminder-text.js';
import { remindersFold, type Reminders } from '../reminders.js';

/** Asks to be reminded of a message (specification, POST /reminders). Answers the reminder's id. */
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

/** The most code points of a note (facts, section 2). */
const longestNote = limits.reminderNote;

/** What is to be said, when, and to whom. */
export interface ReminderDraft {
  readonly userId: number;
  readonly messageId: number;
  readonly dueAt: number;
  readonly text: ComposedText;
}

/** @throws ApplicationError when the time has passed, or the person awaits as many reminders as they may */
export function decideRequestReminder(
  { awaited, nextRevision }: Reminders,
  { userId, messageId, dueAt, text }: ReminderDraft,
  { now }: Pick<Moment, 'now'>,
): readonly EventOf<typeof ReminderRequested>[] {
  refuseNotFuture(dueAt, now);
  if (awaited.size >= budgets.reminders.max) throw failure('tooManyReminders');
  const data = { userId, reminderId: nextRevision + 1, messageId, dueAt, ...text };
  return [{ type: 'ReminderRequested', data }];
}

@CommandHandler(RequestReminder)
export class RequestReminderHandler implements ICommandHandler<RequestReminder> {
  constructor(
    private readonly personal: PersonalChanges,
    private readonly messages: MessageReader,
  ) {}

  /** @throws ApplicationError `invalidMessage`, alike for a message out of reach and for none */
  async execute({ caller, request: { messageId, dueAt, note } }: RequestReminder): Promise<number> {
    if (isLongerThan(note, longestNote)) throw failure('reminderNoteTooLong');
    const { moment } = this.personal.acting(caller);
    const message = await (await this.messages.open(caller)).locate(messageId);
    if (message === null) throw failure('invalidMessage');
    const text = composeReminder(reminderText(message, note, moment), caller.userId, moment);
    const [requested] = await this.personal.apply(caller, {
      fold: remindersFold,
      decide: (reminders) =>
        decideRequestReminder(reminders, { userId: caller.userId, messageId, dueAt, text }, moment),
    });
    if (requested === undefined) throw failure('internalError');
    return requested.data.reminderId;
  }
}

function composeReminder(content: string, userId: number, moment: Moment): ComposedText {
  const sender = moment.directory.user(systemBotIds.notification);
  if (sender === null) throw failure('unavailable');
  const recipient = { type: 'direct', userIds: [systemBotIds.notification, userId] } as const;
  return composeNotice(content, {
    moment,
    sender,
    recipient: { ...recipient, userIds: [...recipient.userIds] },
    topicParticipantIds: [],
    uploads: noUploads,
  });
}
