import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';
import { PresenceSignals } from '../presence-signals.js';
import type { PresenceStatus } from '../presence.js';
import { showsPresence } from '../visible-presence.js';

/** Reports that the caller is here (`POST /users/me/presence`). Nothing of it enters the log. */
export class ReportPresence extends Command<void> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    readonly status: PresenceStatus,
  ) {
    super();
  }
}

@CommandHandler(ReportPresence)
export class ReportPresenceHandler implements ICommandHandler<ReportPresence> {
  constructor(
    private readonly decisions: Decisions,
    private readonly signals: PresenceSignals,
  ) {}

  /**
   * Nothing is recorded for people who do not want to be seen.
   *
   * @throws ApplicationError `botsNotAllowed`
   */
  async execute({ caller, status }: ReportPresence): Promise<void> {
    const { id, bot } = this.decisions.actor(caller).user;
    if (bot !== null) throw failure('botsNotAllowed');
    if (showsPresence(this.decisions.snapshot().directory, id)) this.signals.report(id, status);
  }
}
