import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { peopleIn, type PersonalSettingEvent } from '../../access/records/personal-settings.js';
import { MESSAGES_STREAM } from '../../events/messages.js';
import {
  personalStream,
  type ReminderRequested,
  ReminderTriggered,
  ScheduledMessageFailed,
  ScheduledMessageTriggered,
} from '../../events/personal.js';
import { UserSettingAssigned, UserSettingChanged } from '../../events/settings.js';
import { Decisions } from '../../http/decisions.js';
import type { EventOf, Recorded, RecordedEvent } from '../../kernel/event.js';
import { revisionOfId } from '../../kernel/ids.js';
import { handlers, on } from '../../kernel/event-handlers.js';
import { plainMarkdown } from '../../markdown/written-names.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { SERVER_CLIENT, serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { NoticeSender } from '../channels/notices.js';
import { decideDiscardDrafts } from './drafts.decide.js';
import { draftsOf } from './drafts.state.js';
import { decideSendReminder } from './reminders.decide.js';
import { decideSendScheduledMessage } from './scheduled-messages.decide.js';

const DISCARD_DRAFTS_NAME = 'discard-drafts';

/**
 * Deletes the drafts of people who no longer want them on the server, whoever changed the setting
 * `enable_drafts_synchronization`. Replies wait for it.
 */
@Injectable()
@RunsAsReactor({ awaited: true })
export class DiscardDrafts implements Reactor {
  readonly name = DISCARD_DRAFTS_NAME;
  readonly on = on([UserSettingChanged, UserSettingAssigned], (event) => this.discard(event));

  constructor(
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  private async discard(event: RecordedEvent<PersonalSettingEvent>): Promise<void> {
    const { setting, value } = event.data;
    if (setting !== 'enable_drafts_synchronization' || value !== false) return;
    for (const userId of peopleIn(event)) await this.discardOf(userId, event);
  }

  private async discardOf(
    userId: number,
    { id, metadata }: RecordedEvent<PersonalSettingEvent>,
  ): Promise<void> {
    const cause = {
      actorId: metadata.actorId,
      commandId: commandIdOf([DISCARD_DRAFTS_NAME, id, String(userId)]),
      causationId: id,
      client: SERVER_CLIENT,
      at: this.clock.now(),
    };
    await this.decisions.record(cause, draftsOf(userId), (drafts) => decideDiscardDrafts(drafts, userId));
  }
}

const SEND_REMINDERS_NAME = 'send-reminders';

/** Makes the notification bot send due reminders. */
@Injectable()
@RunsAsReactor()
export class SendReminders implements Reactor {
  readonly name = SEND_REMINDERS_NAME;
  readonly on = on(ReminderTriggered, (event) => this.send(event));

  constructor(
    private readonly decisions: Decisions,
    private readonly log: EventLog,
    private readonly clock: SystemClock,
  ) {}

  private async send({
    id,
    data: { userId, reminderId },
  }: Recorded<typeof ReminderTriggered>): Promise<void> {
    const events = decideSendReminder(await this.request(userId, reminderId));
    const metadata = serverMetadata(commandIdOf([SEND_REMINDERS_NAME, id]), this.clock.now(), id);
    await this.decisions.append(MESSAGES_STREAM, events, metadata);
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

const SEND_SCHEDULED_MESSAGES_NAME = 'send-scheduled-messages';

/** Sends triggered messages as their senders, and notifies senders of messages that could not be sent. */
@Injectable()
@RunsAsReactor()
export class SendScheduledMessages implements Reactor {
  readonly name = SEND_SCHEDULED_MESSAGES_NAME;
  readonly on = handlers(
    on(ScheduledMessageTriggered, (event) => this.send(event)),
    on(ScheduledMessageFailed, (event) => this.notify(event)),
  );

  constructor(
    private readonly decisions: Decisions,
    private readonly notices: NoticeSender,
    private readonly clock: SystemClock,
  ) {}

  private async send({ id, data }: Recorded<typeof ScheduledMessageTriggered>): Promise<void> {
    const { userId, client } = data;
    const events = decideSendScheduledMessage(data);
    await this.decisions.append(MESSAGES_STREAM, events, {
      actorId: userId,
      commandId: commandIdOf([SEND_SCHEDULED_MESSAGES_NAME, id]),
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
