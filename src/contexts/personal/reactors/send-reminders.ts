import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { EventLog } from '../../../stores/event-store/event-log.js';
import type { EventOf, Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/on.js';
import { revisionOfId } from '../../../kernel/ids.js';
import { messagesStream } from '../../../events/messages.js';
import { systemBotIds } from '../../../access/system-bots.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { type ReminderRequested, ReminderTriggered } from '../../../events/personal.js';
import { personalStream } from '../../../events/personal-stream.js';

const name = 'send-reminders';

/** Makes the notification bot send due reminders. */
@Injectable()
@RunsAsReactor()
export class SendReminders implements Reactor {
  readonly name = name;
  readonly on = on(ReminderTriggered, (event) => this.send(event));

  constructor(
    private readonly log: EventLog,
    private readonly clock: SystemClock,
  ) {}

  private async send({
    id,
    data: { userId, reminderId },
  }: Recorded<typeof ReminderTriggered>): Promise<void> {
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

  /** A reminder's id gives the revision of its request. */
  private async request(
    userId: number,
    reminderId: number,
  ): Promise<EventOf<typeof ReminderRequested>['data']> {
    const from = revisionOfId(reminderId);
    const [event] = await this.log.readStream(personalStream(userId), { from, limit: 1 });
    if (event?.type !== 'ReminderRequested') throw new Error(`There is no request of reminder ${reminderId}`);
    return (event as Recorded<typeof ReminderRequested>).data;
  }
}
