import { Injectable } from '@nestjs/common';
import { EphemeralEvents } from '../../realtime/ephemeral-events.js';
import { SignalExchange } from '../../realtime/signals/signal-exchange.js';
import type { OutgoingSignal, Signal } from '../../realtime/signals/signal.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { presenceEvents } from './client-events.js';
import { PresenceBoard, type Noted } from './presence-board.js';
import { rememberedFor, type Presence, type PresenceStatus } from './presence.js';

/** What a process knows of somebody's presence. */
export interface PresenceSignal extends Signal {
  readonly type: 'presence';
  readonly presence: Presence;
}

/** As other processes are told: one subject for each person. */
export function presenceSignal(presence: Presence): OutgoingSignal {
  const content: PresenceSignal = { type: 'presence', presence };
  return { content, subject: `presence:${presence.userId}`, lifetime: rememberedFor };
}

/** Tells the clients of this process who is here, and other processes for theirs. */
@Injectable()
export class PresenceSignals {
  constructor(
    private readonly events: EphemeralEvents,
    private readonly board: PresenceBoard,
    private readonly exchange: SignalExchange,
    private readonly clock: SystemClock,
  ) {
    exchange.hear<PresenceSignal>('presence', (signal) => this.receive(signal));
  }

  /** Somebody is here. Clients are told at once who came back, and learn of the rest when they report themselves. */
  report(userId: number, status: PresenceStatus): void {
    const noted = this.board.report(userId, status, this.clock.now());
    this.publish(noted);
    this.exchange.send(presenceSignal(noted.presence));
  }

  private receive({ presence }: PresenceSignal): void {
    const noted = this.board.learn(presence, this.clock.now());
    this.publish(noted);
    // What is stored of somebody who is at two places is what the last of them said, until one knows both.
    if (noted.knowsMore) this.exchange.send(presenceSignal(noted.presence));
  }

  private publish({ presence, cameOnline }: Noted): void {
    if (cameOnline) this.events.publish((snapshot) => presenceEvents(presence, snapshot));
  }
}
