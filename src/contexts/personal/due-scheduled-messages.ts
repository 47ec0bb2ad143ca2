import { Injectable } from '@nestjs/common';
import type { Job } from '../../../projections/engine/job.js';
import { RunsAsJob } from '../../../projections/engine/background-work.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { toSeconds } from '../../kernel/clock.js';
import { ApplicationError, failure } from '../../kernel/errors.js';
import { MessageComposer } from '../messages/message-composer.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { Decisions } from '../../http/decisions.js';
import type { ScheduledMessageDocument } from './read-model.js';
import { PersonalReader } from './personal-reader.js';
import { addresseeOfRecipient } from './planned-message.js';
import { scheduledMessagesOf } from './scheduled-messages.state.js';
import { decideTriggerScheduledMessage, type Outcome } from './scheduled-messages.decide.js';

/** How many messages one run triggers; the rest follow in the next runs. */
const atOnce = 100;

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
    const due = await messages.find({ queuedAt: { $lte: dueBy } }, { sort: { queuedAt: 1 }, limit: atOnce });
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
