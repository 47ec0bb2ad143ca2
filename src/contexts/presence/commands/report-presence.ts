import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';
import { PresenceSignals } from '../presence-signals.js';
import type { PresenceStatus } from '../presence.js';
import { showsPresence } from '../visible-presence.js';

/** Says that the caller is here (facts, section 5, POST users/me/presence). Nothing of it enters the log. */
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
   * Of somebody who does not want to be seen nothing is noted.
   *
   * @throws ApplicationError `botsNotAllowed`
   */
  async execute({ caller, status }: ReportPresence): Promise<void> {
    const { id, bot } = this.decisions.actor(caller).user;
    if (bot !== null) throw failure('botsNotAllowed');
    if (showsPresence(this.decisions.snapshot().directory, id)) this.signals.report(id, status);
  }
}
