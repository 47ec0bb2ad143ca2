import { BroadcastChannel } from 'node:worker_threads';
import { FollowerWaits } from '../following/follower-waits.js';
import { RecentEvents, type CommittedEvent } from './recent-events.js';
import { RecentTypes, type CommittedTypes } from './recent-types.js';

/** Interval in milliseconds at which a reader checks the file, which is the only way to notice appends of other processes. */
const POLL_INTERVAL = 250;

/** Signals commits to the readers of one file, in every thread of this process. */
export class CommitSignal {
  /** The types announced here, from all threads. */
  readonly types = new RecentTypes();
  /** The events that this thread committed. */
  readonly events = new RecentEvents();
  /** Null: this thread has neither committed nor followed anything yet, so that commits of others need not wake it. */
  #channel: BroadcastChannel | null = null;
  readonly #waits = new FollowerWaits<null, boolean>(false);
  /** Ends all waits; started again by each. */
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly path: string) {}

  announce(events: readonly CommittedEvent[]): void {
    const committed = { first: events[0]!.position, types: events.map(({ type }) => type) };
    this.types.add(committed);
    this.events.add(events);
    this.listen().postMessage(committed);
    this.#waits.end(true);
  }

  /**
   * Resolves when there may be new events, or when `signal` is aborted. Does not keep the process running.
   *
   * @returns false when nothing was announced; another process may have written all the same
   */
  next(signal: AbortSignal): Promise<boolean> {
    if (!signal.aborted)
      this.#timer = this.#timer?.refresh() ?? setTimeout(() => this.#waits.end(false), POLL_INTERVAL).unref();
    return this.#waits.begin(signal, null);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#waits.end(false);
    this.#channel?.close();
  }

  /** Receives the announcements of other threads from now on. */
  listen(): BroadcastChannel {
    if (this.#channel !== null) return this.#channel;
    const channel = new BroadcastChannel(`palimpsest-event-log:${this.path}`);
    channel.onmessage = (message) => {
      this.types.add((message as { readonly data: CommittedTypes }).data);
      this.#waits.end(true);
    };
    channel.unref();
    return (this.#channel = channel);
  }
}
