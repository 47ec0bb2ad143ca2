import { Injectable } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../projections/engine/background-work.js';
import { Decisions } from '../../http/decisions.js';
import { toSeconds } from '../../kernel/clock.js';
import { ApplicationError, failure } from '../../kernel/errors.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { MessageComposer } from '../messages/message-composer.js';
import { PersonalReader } from './personal-reader.js';
import { addresseeOfRecipient } from './planned-message.js';
import type { ReminderDocument, ScheduledMessageDocument } from './read-model.js';
import { decideTriggerReminder } from './reminders.decide.js';
import { remindersOf } from './reminders.state.js';
import { decideTriggerScheduledMessage, type Outcome } from './scheduled-messages.decide.js';
import { scheduledMessagesOf } from './scheduled-messages.state.js';

/** How many reminders one run triggers; the rest follow in the next runs. */
const AT_ONCE = 100;

/**
 * Triggers due reminders. They are looked up in the read model; whether one is still open is decided on the
 * person's own stream, so it is triggered once, even if the model lags or this runs twice.
 */
@Injectable()
@RunsAsJob()
export class DueReminders implements Job {
  readonly name = 'trigger-reminders';
  readonly everyMilliseconds = 500;
  readonly waitsWhileClosed = true;
  readonly perform = (): Promise<void> => this.trigger();

  constructor(
    private readonly reader: PersonalReader,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  private async trigger(): Promise<void> {
    const dueBy = toSeconds(this.clock.now());
    const reminders = await this.reader.reminders();
    const due = await reminders.find({ dueAt: { $lte: dueBy } }, { sort: { dueAt: 1 }, limit: AT_ONCE });
    for (const reminder of due) await this.triggerOne(reminder, dueBy);
  }

  private async triggerOne({ userId, reminderId }: ReminderDocument, dueBy: number): Promise<void> {
    const commandId = commandIdOf([this.name, String(userId), String(reminderId)]);
    await this.decisions.decideAs(serverMetadata(commandId, this.clock.now()), remindersOf(userId), (state) =>
      decideTriggerReminder(state, { userId, reminderId }, dueBy),
    );
  }
}

/**
 * Triggers due scheduled messages, if their sender may send them now. They are looked up in the read model;
 * whether one is still waiting is decided on the person's own stream, so it is triggered once.
 */
@Injectable()
@RunsAsJob()
export class DueScheduledMessages implements Job {
  readonly name = 'trigger-scheduled-messages';
  readonly everyMilliseconds = 500;
  readonly waitsWhileClosed = true;
  readonly perform = (): Promise<void> => this.trigger();

  constructor(
    private readonly reader: PersonalReader,
    private readonly decisions: Decisions,
    private readonly composer: MessageComposer,
    private readonly clock: SystemClock,
  ) {}

  private async trigger(): Promise<void> {
    const dueBy = toSeconds(this.clock.now());
    const messages = await this.reader.scheduledMessages();
    const due = await messages.find({ queuedAt: { $lte: dueBy } }, { sort: { queuedAt: 1 }, limit: AT_ONCE });
    for (const message of due) await this.triggerOne(message);
  }

  private async triggerOne(message: ScheduledMessageDocument): Promise<void> {
    const { userId, scheduledId, revision } = message;
    const outcome = await this.outcomeOf(message);
    const commandId = commandIdOf([this.name, String(userId), String(scheduledId), String(revision)]);
    const metadata = serverMetadata(commandId, this.clock.now());
    await this.decisions.decideAs(metadata, scheduledMessagesOf(userId), (state) =>
      decideTriggerScheduledMessage(state, outcome, revision),
    );
  }

  private async outcomeOf(message: ScheduledMessageDocument): Promise<Outcome> {
    const { userId, scheduledId, recipient, content, readBySender, client } = message;
    try {
      const user = this.decisions.snapshot().directory.user(userId);
      if (user?.isActive !== true) throw failure('userDeactivated');
      const to = addresseeOfRecipient(recipient);
      const { event } = await this.composer.compose({ userId }, { to, content, readBySender });
      const { senderId: _sender, ...sent } = event.data;
      return { type: 'ScheduledMessageTriggered', data: { userId, scheduledId, client, ...sent } };
    } catch (error) {
      // Failures of the server are not the message's fault: they are retried.
      if (!(error instanceof ApplicationError) || error.status >= 500) throw error;
      return { type: 'ScheduledMessageFailed', data: { userId, scheduledId, reason: error.message } };
    }
  }
}
