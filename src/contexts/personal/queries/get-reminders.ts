import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { reminderObject } from '../personal-objects.js';
import { PersonalReader } from '../personal-reader.js';
import type { ReminderObject } from '../personal.replies.js';

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
