import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { scheduledMessageObject } from '../personal-objects.js';
import { PersonalReader } from '../personal-reader.js';
import type { ScheduledMessageObject } from '../personal.replies.js';

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
