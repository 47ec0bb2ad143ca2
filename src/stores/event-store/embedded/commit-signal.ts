import { BroadcastChannel } from 'node:worker_threads';
import { RecentEvents, type CommittedEvent } from './recent-events.js';
import { RecentTypes, type CommittedTypes } from './recent-types.js';

/** Interval in milliseconds at which a reader checks the file, which is the only way to notice appends of other processes. */
const POLL_INTERVAL = 250;

/** A reader that waits. */
interface Waiter {
  readonly signal: AbortSignal;
  readonly end: (announced: boolean) => void;
}

/** Signals commits to the readers of one file, in every thread of this process. */
export class CommitSignal {
  /** The types announced here, from all threads. */
  readonly types = new RecentTypes();
  /** The events that this thread committed. */
  readonly events = new RecentEvents();
  /** Null: this thread has neither committed nor followed anything yet, so that commits of others need not wake it. */
  #channel: BroadcastChannel | null = null;
  /** An array, because the tables of a set that changes with every commit keep garbage alive. */
  #waiting: Waiter[] = [];
  /** The signals that end the waits of their readers when they are aborted. */
  readonly #heard = new WeakSet<AbortSignal>();
  /** Ends all waits; started again by each. */
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly path: string) {}

  announce(events: readonly CommittedEvent[]): void {
    const committed = { first: events[0]!.position, types: events.map(({ type }) => type) };
    this.types.add(committed);
    this.events.add(events);
    this.listen().postMessage(committed);
    this.#endAll(true);
  }

  /**
   * Resolves when there may be new events, or when `signal` is aborted. Does not keep the process running.
   *
   * @returns false when nothing was announced; another process may have written all the same
   */
  next(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    this.#hear(signal);
    this.#timer = this.#timer?.refresh() ?? setTimeout(() => this.#endAll(false), POLL_INTERVAL).unref();
    return new Promise((end) => this.#waiting.push({ signal, end }));
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#endAll(false);
    this.#channel?.close();
  }

  /** Receives the announcements of other threads from now on. */
  listen(): BroadcastChannel {
    if (this.#channel !== null) return this.#channel;
    const channel = new BroadcastChannel(`palimpsest-event-log:${this.path}`);
    channel.onmessage = (message) => {
      this.types.add((message as { readonly data: CommittedTypes }).data);
      this.#endAll(true);
    };
    channel.unref();
    return (this.#channel = channel);
  }

  /** Listens to a signal once, however often its reader waits. */
  #hear(signal: AbortSignal): void {
    if (this.#heard.has(signal)) return;
    this.#heard.add(signal);
    const isEnded = (waiter: Waiter): boolean => waiter.signal === signal;
    signal.addEventListener('abort', () => this.#end(false, isEnded), { once: true });
  }

  #endAll(announced: boolean): void {
    this.#end(announced, () => true);
  }

  #end(announced: boolean, isConcerned: (waiter: Waiter) => boolean): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const waiter of waiting) {
      if (isConcerned(waiter)) waiter.end(announced);
      else this.#waiting.push(waiter);
    }
  }
}
