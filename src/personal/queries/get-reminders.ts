import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { PersonalReader } from '../personal-reader.js';

/** A reminder as the API has it. */
export interface ReminderObject {
  readonly reminder_id: number;
  readonly type: 'private';
  readonly to: readonly number[];
  readonly content: string;
  readonly rendered_content: string;
  /** Seconds since the UNIX epoch. */
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
  readonly reminder_target_message_id: number;
}

/** The reminders that a person awaits, the next one first. */
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
    return awaited.map(({ reminderId, messageId, dueAt, content, html }) => ({
      reminder_id: reminderId,
      type: 'private',
      to: [userId],
      content,
      rendered_content: html,
      scheduled_delivery_timestamp: dueAt,
      failed: false,
      reminder_target_message_id: messageId,
    }));
  }
}
