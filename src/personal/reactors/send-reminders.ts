import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../background-work.js';
import { serverMetadata } from '../../event-store/command-metadata.js';
import { commandIdOf } from '../../event-store/event-id.js';
import { EventLog } from '../../event-store/event-log.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { revisionOfId } from '../../kernel/ids.js';
import { messagesStream } from '../../messages/message.js';
import { systemBotIds } from '../../organization/system-bots.js';
import { SystemClock } from '../../system-clock.js';
import type { ReminderRequested, ReminderTriggered } from '../events.js';
import { personalStream } from '../personal-stream.js';

const name = 'send-reminders';

type Triggered = RecordedEvent<EventOf<typeof ReminderTriggered>>;

/** Lets the notification bot say what people asked to be reminded of. */
@Injectable()
@RunsAsReactor()
export class SendReminders implements Reactor {
  readonly name = name;
  readonly on = {
    ReminderTriggered: (event: RecordedEvent) => this.send(event as unknown as Triggered),
  };

  constructor(
    private readonly log: EventLog,
    private readonly clock: SystemClock,
  ) {}

  private async send({ id, data: { userId, reminderId } }: Triggered): Promise<void> {
    const { content, references, mentions } = await this.request(userId, reminderId);
    const bot = systemBotIds.notification;
    const data = {
      senderId: bot,
      recipient: { type: 'direct', userIds: [...new Set([bot, userId])].sort((a, b) => a - b) },
      readBySender: true,
      content,
      references,
      mentions,
    };
    await this.log.append(
      { stream: messagesStream, expected: 'any' },
      [{ type: 'MessageSent', data }],
      serverMetadata(commandIdOf([name, id]), this.clock.now(), id),
    );
  }

  /** A reminder's id says where its request stands. */
  private async request(
    userId: number,
    reminderId: number,
  ): Promise<EventOf<typeof ReminderRequested>['data']> {
    const from = revisionOfId(reminderId);
    const [event] = await this.log.readStream(personalStream(userId), { from, limit: 1 });
    if (event?.type !== 'ReminderRequested') throw new Error(`There is no request of reminder ${reminderId}`);
    return (event as RecordedEvent<EventOf<typeof ReminderRequested>>).data;
  }
}
