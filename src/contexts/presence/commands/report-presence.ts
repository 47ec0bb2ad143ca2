import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import { EphemeralEvents } from '../../../realtime/ephemeral-events.js';
import {
  SignalExchange,
  type OutgoingSignal,
  type Signal,
} from '../../../realtime/signals/signal-exchange.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { presenceEvents } from '../client-events.js';
import { REMEMBERED_FOR, type Presence, type PresenceStatus } from '../presence.js';
import { PresenceBoard, type PresenceUpdate } from '../presence-board.js';
import { showsPresence } from '../presence.view.js';

/** What a process knows about a person's presence. */
export interface PresenceSignal extends Signal {
  readonly type: 'presence';
  readonly presence: Presence;
}

/** The signal about a person; one subject for each person. */
export function presenceSignal(presence: Presence): OutgoingSignal {
  const content: PresenceSignal = { type: 'presence', presence };
  return { content, subject: `presence:${presence.userId}`, lifetime: REMEMBERED_FOR };
}

/** Sends presence to the clients of this process, and to other processes. */
@Injectable()
export class PresenceSignals {
  constructor(
    private readonly events: EphemeralEvents,
    private readonly board: PresenceBoard,
    private readonly exchange: SignalExchange,
    private readonly clock: SystemClock,
  ) {
    exchange.receive<PresenceSignal>('presence', (signal) => this.receive(signal));
  }

  /**
   * Records that a person is here. Clients get an event at once if they came back, and the rest when they
   * report themselves.
   */
  report(userId: number, status: PresenceStatus): void {
    const noted = this.board.report(userId, status, this.clock.now());
    this.publish(noted);
    this.exchange.send(presenceSignal(noted.presence));
  }

  private receive({ presence }: PresenceSignal): void {
    const noted = this.board.merge(presence, this.clock.now());
    this.publish(noted);
    // For a person with clients at two processes, the store has the last signal of either, until one of them
    // knows both.
    if (noted.knowsMore) this.exchange.send(presenceSignal(noted.presence));
  }

  private publish({ presence, cameOnline }: PresenceUpdate): void {
    if (cameOnline) this.events.publish((snapshot) => presenceEvents(presence, snapshot));
  }
}

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
    const { user, snapshot } = this.decisions.actor(caller);
    if (user.bot !== null) throw failure('botsNotAllowed');
    if (showsPresence(snapshot.directory, user.id)) this.signals.report(user.id, status);
  }
}
