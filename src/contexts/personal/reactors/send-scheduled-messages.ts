import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { plainMarkdown } from '../../../markdown/written-names.js';
import { NoticeSender } from '../../channels/notices.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { EventLog } from '../../../stores/event-store/event-log.js';
import type { Recorded } from '../../../kernel/event.js';
import { handlers, on } from '../../../kernel/on.js';
import { messagesStream } from '../../../events/messages.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { ScheduledMessageFailed, ScheduledMessageTriggered } from '../../../events/personal.js';

const name = 'send-scheduled-messages';

/** Sends triggered messages as their senders, and notifies senders of messages that could not be sent. */
@Injectable()
@RunsAsReactor()
export class SendScheduledMessages implements Reactor {
  readonly name = name;
  readonly on = handlers(
    on(ScheduledMessageTriggered, (event) => this.send(event)),
    on(ScheduledMessageFailed, (event) => this.notify(event)),
  );

  constructor(
    private readonly log: EventLog,
    private readonly notices: NoticeSender,
    private readonly clock: SystemClock,
  ) {}

  private async send({ id, data }: Recorded<typeof ScheduledMessageTriggered>): Promise<void> {
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

  private async notify({
    id,
    data: { userId, reason },
  }: Recorded<typeof ScheduledMessageFailed>): Promise<void> {
    const content = `A message that you scheduled was not sent: ${plainMarkdown(reason)}`;
    await this.notices.send({ to: { userIds: [userId] }, content, causationId: id });
  }
}
