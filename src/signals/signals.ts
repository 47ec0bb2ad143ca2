import { Injectable } from '@nestjs/common';
import { PresenceBoard, type Noted } from '../presence/presence-board.js';
import type { PresenceStatus } from '../presence/presence.js';
import { EphemeralEvents } from '../realtime/ephemeral-events.js';
import type { TypingEvent } from '../realtime/translations/ephemeral.js';
import { SystemClock } from '../system-clock.js';
import type { Signal } from './signal.js';
import { SignalExchange } from './signal-exchange.js';

/** Says what is no fact to keep: to the clients of this process at once, and to other processes for theirs. */
@Injectable()
export class Signals {
  constructor(
    private readonly events: EphemeralEvents,
    private readonly board: PresenceBoard,
    private readonly exchange: SignalExchange,
    private readonly clock: SystemClock,
  ) {}

  /** Somebody begins or ceases to type. */
  typing(event: TypingEvent): void {
    this.events.publish(event);
    this.exchange.send(event);
  }

  /** Somebody is here. Clients are told at once who came back, and learn of the rest when they report themselves. */
  present(userId: number, status: PresenceStatus): void {
    const noted = this.board.report(userId, status, this.clock.now());
    this.tellOf(noted);
    this.exchange.send({ type: 'presence', presence: noted.presence });
  }

  /** Hears what another process says. */
  receive(signal: Signal): void {
    switch (signal.type) {
      case 'typing':
        return this.events.publish(signal);
      case 'presence': {
        const noted = this.board.learn(signal.presence, this.clock.now());
        this.tellOf(noted);
        // What is stored of somebody who is at two places is what the last of them said, until one knows both.
        if (noted.knowsMore) this.exchange.send({ type: 'presence', presence: noted.presence });
      }
    }
  }

  private tellOf({ presence, cameOnline }: Noted): void {
    if (cameOnline) this.events.publish({ type: 'presence', presence });
  }
}
