import type { Logger } from '../../../projections/engine/logger.js';
import { Backoff, pause } from '../../../projections/engine/pause.js';
import type { Clock } from '../../kernel/clock.js';
import type { SignalStore, StoredSignal } from '../../stores/signal-store/port.js';

/** A short-lived message between processes, which is not an event to keep: plain JSON. */
export interface Signal {
  readonly type: string;
}

/** A signal as it is sent. */
export interface OutgoingSignal {
  readonly content: Signal;
  /** What it is about: of several signals with the same subject only the latest counts. */
  readonly subject: string;
  /** How long it is valid, in milliseconds. */
  readonly lifetime: number;
}

/** What a {@link SignalExchange} depends on. */
interface SignalExchangeOptions {
  /** Null: this is the only process, so signals need not be sent. */
  readonly store: SignalStore | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The name of this process, unique among all. */
  readonly self: string;
}

/** A signal that was not sent to the other processes yet. */
type Outgoing = Pick<StoredSignal, 'until' | 'content'>;

/**
 * Interval between exchanges, in milliseconds: other processes get a signal after this time at the latest,
 * while the store answers.
 */
const INTERVAL = 1_000;

/** How much the clocks of processes may differ, in milliseconds, before signals between them are missed. */
const SKEW = 5_000;

/** Interval between removals of expired signals, in milliseconds. */
const SWEEP = 60_000;

const retryDelays = { first: INTERVAL, max: 30_000 };

/**
 * Sends signals to other processes and receives theirs: once a second, and only the latest of each subject.
 * Failures delay nobody, because signals are repeated soon.
 */
export class SignalExchange {
  /** Signals to send, by subject. */
  private outgoing = new Map<string, Outgoing>();
  /** Receivers by type of signal. */
  private readonly receivers = new Map<string, (signal: Signal) => void>();
  /**
   * When each subject that the last exchange read was stored, to recognize signals that were received
   * already.
   */
  private seen: ReadonlyMap<string, number> = new Map();
  private receivedAt = 0;
  private sweptAt = 0;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: SignalExchangeOptions) {}

  /** Queues a signal for the next exchange. */
  send({ content, subject, lifetime }: OutgoingSignal): void {
    const { store, clock } = this.options;
    if (store === null) return;
    this.outgoing.set(subject, { until: clock.now() + lifetime, content });
  }

  /** Registers the receiver for one type of signal from other processes. */
  receive<Received extends Signal>(type: Received['type'], receive: (signal: Received) => void): void {
    // Only processes of this program write signals.
    this.receivers.set(type, (signal) => receive(signal as Received));
  }

  /** Starts exchanging signals. */
  start(): void {
    const receive = (signal: Signal): void => this.receivers.get(signal.type)?.(signal);
    if (this.options.store !== null) this.running = this.run(this.options.store, receive);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /**
   * Receives the signals since the last exchange, then sends the queued ones, which may so depend on those
   * received.
   */
  async exchange(store: SignalStore, receive: (signal: Signal) => void): Promise<void> {
    const { clock, self } = this.options;
    const now = clock.now();
    const received = await store.since(this.receivedAt - SKEW, { self, now });
    const fresh = received.filter(({ subject, at }) => this.seen.get(subject) !== at);
    this.seen = new Map(received.map(({ subject, at }) => [subject, at]));
    this.receivedAt = now;
    // Only processes of this program write signals.
    for (const { content } of fresh) receive(content as Signal);
    await this.sendAll(store, now);
    if (now - this.sweptAt < SWEEP) return;
    this.sweptAt = now;
    await store.forgetBefore(now);
  }

  private async sendAll(store: SignalStore, at: number): Promise<void> {
    const { self } = this.options;
    const sending = new Map([...this.outgoing].filter(([, { until }]) => until > at));
    this.outgoing = new Map();
    try {
      await store.put([...sending].map(([subject, signal]) => ({ subject, at, from: self, ...signal })));
    } catch (error) {
      this.outgoing = new Map([...sending, ...this.outgoing]);
      throw error;
    }
  }

  private async run(store: SignalStore, receive: (signal: Signal) => void): Promise<void> {
    const { signal } = this.stopping;
    const backoff = new Backoff(retryDelays);
    while (!signal.aborted) {
      try {
        await this.exchange(store, receive);
        backoff.reset();
        await pause(INTERVAL, signal);
      } catch (error) {
        this.options.logger.error(
          { err: error },
          'Presence, typing and the state of read models cannot be exchanged; trying again',
        );
        await pause(backoff.next(), signal);
      }
    }
  }
}
