import { Backoff, pause } from '../../../projections/engine/pause.js';
import type { Logger } from '../../../projections/engine/logger.js';
import type { Clock } from '../../kernel/clock.js';
import type { SignalStore, StoredSignal } from '../../stores/signal-store/port.js';
import type { OutgoingSignal, Signal } from './signal.js';

/** What a {@link SignalExchange} works with. */
export interface SignalExchangeOptions {
  /** Null: this is the only process, which has nobody to tell. */
  readonly store: SignalStore | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names this process among all. */
  readonly self: string;
}

/** What others are yet to be told. */
type Outgoing = Pick<StoredSignal, 'until' | 'content'>;

/** How long others wait for a signal at most, in milliseconds, while the store answers. */
const INTERVAL = 1_000;

/** By how much the clocks of processes may differ, in milliseconds, before signals between them are missed. */
const SKEW = 5_000;

/** How often what is worth nothing any more is removed, in milliseconds. */
const SWEEP = 60_000;

const RETRY = { first: INTERVAL, most: 30_000 };

/**
 * Tells other processes of signals, and hears theirs: once a second, and the latest of each subject only. Whatever goes wrong,
 * nobody waits for it: signals are said again soon.
 */
export class SignalExchange {
  /** By subject. */
  private outgoing = new Map<string, Outgoing>();
  /** By type of the signals that they hear. */
  private readonly receivers = new Map<string, (signal: Signal) => void>();
  /** When the subjects were put that the last look found. */
  private seen: ReadonlyMap<string, number> = new Map();
  private heardAt = 0;
  private sweptAt = 0;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: SignalExchangeOptions) {}

  /** Has other processes told, soon. */
  send({ content, subject, lifetime }: OutgoingSignal): void {
    const { store, clock } = this.options;
    if (store === null) return;
    this.outgoing.set(subject, { until: clock.now() + lifetime, content });
  }

  /** Has somebody told of what other processes say of one type. */
  hear<Told extends Signal>(type: Told['type'], receive: (signal: Told) => void): void {
    // Only processes of this program write them.
    this.receivers.set(type, (signal) => receive(signal as Told));
  }

  /** Exchanges signals from now on. */
  start(): void {
    const receive = (signal: Signal): void => this.receivers.get(signal.type)?.(signal);
    if (this.options.store !== null) this.running = this.run(this.options.store, receive);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Hears what others said since the last time, then tells them: so what is told takes in what was heard. */
  async exchange(store: SignalStore, receive: (signal: Signal) => void): Promise<void> {
    const { clock, self } = this.options;
    const now = clock.now();
    const heard = await store.since(this.heardAt - SKEW, { self, now });
    const fresh = heard.filter(({ subject, at }) => this.seen.get(subject) !== at);
    this.seen = new Map(heard.map(({ subject, at }) => [subject, at]));
    this.heardAt = now;
    // Only processes of this program write them.
    for (const { content } of fresh) receive(content as Signal);
    await this.tell(store, now);
    if (now - this.sweptAt < SWEEP) return;
    this.sweptAt = now;
    await store.forgetBefore(now);
  }

  private async tell(store: SignalStore, at: number): Promise<void> {
    const { self } = this.options;
    const told = new Map([...this.outgoing].filter(([, { until }]) => until > at));
    this.outgoing = new Map();
    try {
      await store.put([...told].map(([subject, signal]) => ({ subject, at, from: self, ...signal })));
    } catch (error) {
      this.outgoing = new Map([...told, ...this.outgoing]);
      throw error;
    }
  }

  private async run(store: SignalStore, receive: (signal: Signal) => void): Promise<void> {
    const { signal } = this.stopping;
    const backoff = new Backoff(RETRY);
    while (!signal.aborted) {
      try {
        await this.exchange(store, receive);
        backoff.reset();
        await pause(INTERVAL, signal);
      } catch (error) {
        this.options.logger.error({ err: error }, 'Presence and typing cannot be exchanged; trying again');
        await pause(backoff.next(), signal);
      }
    }
  }
}
