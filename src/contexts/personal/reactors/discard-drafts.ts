import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { serverClient } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { UserSettingAssigned, UserSettingChanged } from '../../../events/settings.js';
import { on } from '../../../kernel/on.js';
import { peopleIn, type PersonalSettingEvent } from '../../../access/records/personal-settings.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { draftsOf } from '../drafts.state.js';
import { Decisions } from '../../../http/decisions.js';
import { decideDiscardDrafts } from '../drafts.decide.js';

const name = 'discard-drafts';

/**
 * Deletes the drafts of people who no longer want them on the server, whoever changed the setting
 * `enable_drafts_synchronization`. Replies wait for it.
 */
@Injectable()
@RunsAsReactor({ awaited: true })
export class DiscardDrafts implements Reactor {
  readonly name = name;
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
      commandId: commandIdOf([name, id, String(userId)]),
      causationId: id,
      client: serverClient,
      at: this.clock.now(),
    };
    await this.decisions.decideAs(cause, draftsOf(userId), (drafts) => decideDiscardDrafts(drafts, userId));
  }
}
