import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { assertDraftsKept } from '../drafts.decide.js';
import { draftObject, reminderObject, scheduledMessageObject } from '../personal.view.js';
import { PersonalReader } from '../personal-reader.js';
import type { DraftObject, ReminderObject, ScheduledMessageObject } from '../personal.replies.js';

/** A person's drafts, oldest first. */
export class GetDrafts extends Query<readonly DraftObject[]> {
  constructor(
    readonly caller: Caller,
    /** Whether to throw, rather than return none, if the person turned synchronization of drafts off. */
    readonly refuses = false,
  ) {
    super();
  }
}

@QueryHandler(GetDrafts)
export class GetDraftsHandler implements IQueryHandler<GetDrafts> {
  constructor(
    private readonly reader: PersonalReader,
    private readonly decisions: Decisions,
  ) {}

  /** @throws ApplicationError `draftsNotKept` */
  async execute({ caller, refuses }: GetDrafts): Promise<readonly DraftObject[]> {
    const { userId } = caller;
    if (refuses) assertDraftsKept(this.decisions.actor(caller));
    const drafts = await (
      await this.reader.drafts()
    ).find({ userId }, { sort: { timestamp: 1, draftId: 1 } });
    return drafts.map(draftObject);
  }
}

/** A person's open reminders, the next one first. */
export class GetReminders extends Query<readonly ReminderObject[]> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetReminders)
export class GetRemindersHandler implements IQueryHandler<GetReminders> {
  constructor(private readonly reader: PersonalReader) {}

  async execute({ caller: { userId } }: GetReminders): Promise<readonly ReminderObject[]> {
    const reminders = await this.reader.reminders();
    const awaited = await reminders.find({ userId }, { sort: { dueAt: 1, reminderId: 1 } });
    return awaited.map(reminderObject);
  }
}

/** A person's scheduled messages, the next one first. */
export class GetScheduledMessages extends Query<readonly ScheduledMessageObject[]> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetScheduledMessages)
export class GetScheduledMessagesHandler implements IQueryHandler<GetScheduledMessages> {
  constructor(private readonly reader: PersonalReader) {}

  async execute({ caller: { userId } }: GetScheduledMessages): Promise<readonly ScheduledMessageObject[]> {
    const messages = await this.reader.scheduledMessages();
    const waiting = await messages.find({ userId }, { sort: { dueAt: 1, scheduledId: 1 } });
    return waiting.map(scheduledMessageObject);
  }
}
