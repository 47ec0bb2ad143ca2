import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import type { Recipient } from '../../messages/events.js';
import { PersonalReader } from '../personal-reader.js';

/** Whom a scheduled message is for, as the API has it. */
type ScheduledAddress =
  | { readonly type: 'stream'; readonly to: number; readonly topic: string }
  | { readonly type: 'private'; readonly to: readonly number[] };

/** A scheduled message as the API has it. */
export type ScheduledMessageObject = ScheduledAddress & {
  readonly scheduled_message_id: number;
  readonly content: string;
  readonly rendered_content: string;
  /** Seconds since the UNIX epoch. */
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
};

/** The messages that a person has scheduled, the next one first. */
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
    return waiting.map(({ scheduledId, recipient, content, html, dueAt, isFailed }) => ({
      scheduled_message_id: scheduledId,
      ...addressOf(recipient, userId),
      content,
      rendered_content: html,
      scheduled_delivery_timestamp: dueAt,
      failed: isFailed,
    }));
  }
}

/** Direct messages name everyone but the sender, except notes to oneself. */
function addressOf(recipient: Recipient, userId: number): ScheduledAddress {
  switch (recipient.type) {
    case 'channel':
      return { type: 'stream', to: recipient.channelId, topic: recipient.topic };
    case 'direct': {
      const others = recipient.userIds.filter((id) => id !== userId);
      return { type: 'private', to: others.length === 0 ? [userId] : others };
    }
  }
}
