import { Injectable } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../projections/engine/background-work.js';
import { DueRounds, type DuePage } from '../../../projections/engine/due-rounds.js';
import { ownersIn } from '../../access/account-owners.js';
import { Decisions } from '../../http/decisions.js';
import { toSeconds } from '../../kernel/clock.js';
import { ApplicationError, failure } from '../../kernel/errors.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { MessageComposer } from '../messages/sending/message-composer.js';
import { PersonalReader } from './personal-reader.js';
import { addresseeOfRecipient } from './planned-message.js';
import type { ReminderDocument, ScheduledMessageDocument } from './read-model.js';
import { decideTriggerReminder } from './reminders.decide.js';
import { remindersOf } from './reminders.state.js';
import {
  decideTriggerScheduledMessage,
  outcomeOfRefusal,
  outcomeOfSending,
  type Outcome,
} from './scheduled-messages.decide.js';
import { scheduledMessagesOf } from './scheduled-messages.state.js';

/** What is read of what is due before its turn comes. */
type DueReminder = Pick<ReminderDocument, '_id' | 'userId' | 'reminderId'>;
type DueMessage = Pick<ScheduledMessageDocument, '_id' | 'userId'>;

/**
 * Triggers due reminders. They are looked up in the read model; whether one is still open is decided on the
 * person's own stream, so it is triggered once, even if the model lags or this runs twice.
 */
@Injectable()
@RunsAsJob()
export class DueReminders implements Job {
  readonly name = 'trigger-reminders';
  readonly everyMilliseconds = 500;
  readonly pausesWhileDeactivated = true;
  readonly perform = (): Promise<void> => this.rounds.run();

  private readonly rounds = new DueRounds<DueReminder>({
    find: (page) => this.find(page),
    keyOf: ({ _id }) => _id,
    ownerOf: ({ userId }) => ownersIn(this.decisions.snapshot().directory)(userId),
    perform: (reminder) => this.triggerOne(reminder),
  });

  constructor(
    private readonly reader: PersonalReader,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  private async find({ skip, limit }: DuePage): Promise<readonly DueReminder[]> {
    const reminders = await this.reader.reminders();
    const options = { sort: { dueAt: 1 }, projection: { userId: 1, reminderId: 1 }, skip, limit } as const;
    return reminders.find({ dueAt: { $lte: this.dueBy() } }, options);
  }

  private async triggerOne({ userId, reminderId }: DueReminder): Promise<void> {
    const commandId = commandIdOf([this.name, String(userId), String(reminderId)]);
    await this.decisions.record(serverMetadata(commandId, this.clock.now()), remindersOf(userId), (state) =>
      decideTriggerReminder(state, { userId, reminderId }, this.dueBy()),
    );
  }

  private dueBy(): number {
    return toSeconds(this.clock.now());
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
  readonly pausesWhileDeactivated = true;
  readonly perform = (): Promise<void> => this.rounds.run();

  private readonly rounds = new DueRounds<DueMessage>({
    find: (page) => this.find(page),
    keyOf: ({ _id }) => _id,
    ownerOf: ({ userId }) => ownersIn(this.decisions.snapshot().directory)(userId),
    perform: (message) => this.triggerOne(message),
  });

  constructor(
    private readonly reader: PersonalReader,
    private readonly decisions: Decisions,
    private readonly composer: MessageComposer,
    private readonly clock: SystemClock,
  ) {}

  private async find({ skip, limit }: DuePage): Promise<readonly DueMessage[]> {
    const messages = await this.reader.scheduledMessages();
    const options = { sort: { queuedAt: 1 }, projection: { userId: 1 }, skip, limit } as const;
    return messages.find({ queuedAt: { $lte: this.dueBy() } }, options);
  }

  private async triggerOne({ _id }: DueMessage): Promise<void> {
    const message = await (await this.reader.scheduledMessages()).findOne({ _id });
    // It may have been changed since it was looked up.
    if (message?.queuedAt == null || message.queuedAt > this.dueBy()) return;
    const { userId, scheduledId, revision } = message;
    const outcome = await this.outcomeOf(message);
    const commandId = commandIdOf([this.name, String(userId), String(scheduledId), String(revision)]);
    const metadata = serverMetadata(commandId, this.clock.now());
    await this.decisions.record(metadata, scheduledMessagesOf(userId), (state) =>
      decideTriggerScheduledMessage(state, outcome, revision),
    );
  }

  private async outcomeOf(message: ScheduledMessageDocument): Promise<Outcome> {
    const { userId, recipient, content, readBySender } = message;
    try {
      const user = this.decisions.snapshot().directory.user(userId);
      if (user?.isActive !== true) throw failure('userDeactivated');
      const to = addresseeOfRecipient(recipient);
      const { event } = await this.composer.compose({ userId }, { to, content, readBySender });
      return outcomeOfSending(message, event);
    } catch (error) {
      // Failures of the server are not the message's fault: they are retried.
      if (!(error instanceof ApplicationError) || error.status >= 500) throw error;
      return outcomeOfRefusal(message, error);
    }
  }

  private dueBy(): number {
    return toSeconds(this.clock.now());
  }
}
