import { Injectable } from '@nestjs/common';
import type { Moment } from '../../access/moment.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { noState } from '../../kernel/decider.js';
import { failure } from '../../kernel/errors.js';
import type { DomainEvent, EventMetadata } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { personalStream } from '../personal/personal-stream.js';
import { Accounts } from '../users/accounts.js';
import type { User } from '../../access/records/user.js';
import type { SettingEvent } from '../../events/settings.js';
import { ownSettingsFold, type OwnSettings } from './own-settings.js';

/** The stream of what is set for many at once: defaults of new accounts, and what administrators set for others. */
const sharedSettingsStream = 'user-settings';

/** Who changes settings, and the organization as they find it. */
export interface SettingActor {
  readonly user: User;
  readonly moment: Moment;
}

/** Decides about settings: a person's own on their stream, those of many on one that they share. */
@Injectable()
export class SettingChanges {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly accounts: Accounts,
  ) {}

  /**
   * Settings are people's: bots have none.
   *
   * @throws ApplicationError `botsNotAllowed`
   */
  acting(caller: Caller): SettingActor {
    const actor = this.accounts.actor(caller);
    if (actor.bot !== null) throw failure('botsNotAllowed');
    return { user: actor, moment: this.accounts.moment() };
  }

  /** What concerns more than settings may go along with them: it is one append. */
  applyOwn(caller: Caller, decide: (own: OwnSettings) => readonly DomainEvent[]): Promise<void> {
    return this.applyTo(caller.userId, caller, decide);
  }

  /** The same for whoever may be spoken for. */
  async applyTo(
    userId: number,
    caller: Caller,
    decide: (own: OwnSettings) => readonly DomainEvent[],
  ): Promise<void> {
    const stream = personalStream(userId);
    await handle(this.streams, { stream, fold: ownSettingsFold, decide, metadata: this.metadata(caller) });
  }

  async applyShared(caller: Caller, decide: () => readonly SettingEvent[]): Promise<void> {
    const stream = sharedSettingsStream;
    await handle(this.streams, { stream, fold: noState, decide, metadata: this.metadata(caller) });
  }

  private metadata(caller: Caller): EventMetadata {
    return requestMetadata(caller, this.accounts.moment().now);
  }
}
