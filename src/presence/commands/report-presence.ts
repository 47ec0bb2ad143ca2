import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { EphemeralEvents } from '../../realtime/ephemeral-events.js';
import { Accounts } from '../../users/accounts.js';
import { PresenceBoard } from '../presence-board.js';
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
    private readonly accounts: Accounts,
    private readonly board: PresenceBoard,
    private readonly events: EphemeralEvents,
  ) {}

  /**
   * Of somebody who does not want to be seen nothing is noted. Clients are told at once who came back, and learn of the rest when
   * they report themselves.
   *
   * @throws ApplicationError `botsNotAllowed`
   */
  async execute({ caller, status }: ReportPresence): Promise<void> {
    const { id, bot } = this.accounts.actor(caller);
    if (bot !== null) throw failure('botsNotAllowed');
    const { directory, now } = this.accounts.moment();
    if (!showsPresence(directory, id)) return;
    const { presence, cameOnline } = this.board.report(id, status, now);
    if (cameOnline) this.events.publish({ type: 'presence', presence });
  }
}
