import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../background-work.js';
import { NoticeSender } from '../../channels/notices.js';
import { commandIdOf } from '../../event-store/event-id.js';
import { EventLog } from '../../event-store/event-log.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { messagesStream } from '../../messages/message.js';
import { SystemClock } from '../../system-clock.js';
import type { ScheduledMessageFailed, ScheduledMessageTriggered } from '../events.js';

const name = 'send-scheduled-messages';

type Triggered = RecordedEvent<EventOf<typeof ScheduledMessageTriggered>>;
type Failed = RecordedEvent<EventOf<typeof ScheduledMessageFailed>>;

/** Sends scheduled messages in their senders' names, and tells senders of those that could not be sent. */
@Injectable()
@RunsAsReactor()
export class SendScheduledMessages implements Reactor {
  readonly name = name;
  readonly on = {
    ScheduledMessageTriggered: (event: RecordedEvent) => this.send(event as unknown as Triggered),
    ScheduledMessageFailed: (event: RecordedEvent) => this.tell(event as unknown as Failed),
  };

  constructor(
    private readonly log: EventLog,
    private readonly notices: NoticeSender,
    private readonly clock: SystemClock,
  ) {}

  private async send({ id, data }: Triggered): Promise<void> {
    const { userId, scheduledId: _id, client, ...message } = data;
    const sent = { type: 'MessageSent', data: { senderId: userId, ...message } };
    await this.log.append({ stream: messagesStream, expected: 'any' }, [sent], {
      actorId: userId,
      commandId: commandIdOf([name, id]),
      causationId: id,
      client,
      at: this.clock.now(),
    });
  }

  private async tell({ id, data: { userId, reason } }: Failed): Promise<void> {
    const content = `A message that you scheduled was not sent: ${reason}`;
    await this.notices.send({ to: { userIds: [userId] }, content, causationId: id });
  }
}
