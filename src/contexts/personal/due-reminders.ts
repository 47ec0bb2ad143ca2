import { Injectable } from '@nestjs/common';
import type { Job } from '../../../projections/engine/job.js';
import { RunsAsJob } from '../../../projections/engine/background-work.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { toSeconds } from '../../kernel/clock.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { Decisions } from '../../http/decisions.js';
import type { ReminderDocument } from './read-model.js';
import { PersonalReader } from './personal-reader.js';
import { remindersOf } from './reminders.state.js';
import { decideTriggerReminder } from './reminders.decide.js';

/** How many reminders one run triggers; the rest follow in the next runs. */
const atOnce = 100;

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
    const due = await reminders.find({ dueAt: { $lte: dueBy } }, { sort: { dueAt: 1 }, limit: atOnce });
    for (const reminder of due) await this.triggerOne(reminder, dueBy);
  }

  private async triggerOne({ userId, reminderId }: ReminderDocument, dueBy: number): Promise<void> {
    const commandId = commandIdOf([this.name, String(userId), String(reminderId)]);
    await this.decisions.decideAs(serverMetadata(commandId, this.clock.now()), remindersOf(userId), (state) =>
      decideTriggerReminder(state, { userId, reminderId }, dueBy),
    );
  }
}
