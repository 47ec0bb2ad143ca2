import { EventEmitter, once } from 'node:events';
import type { EventLog, FollowOptions, RecordedPage } from '../event-log.js';

/**
 * Follows the log for a reader that is notified when there is something to read. Nothing wakes the thread for all the other events, and no
 * subscription is open.
 */
export class LogOnDemand implements Pick<EventLog, 'follow'> {
  readonly #requests = new EventEmitter();
  #requested = 0;

  constructor(private readonly log: Pick<EventLog, 'store' | 'decode'>) {}

  /** Has the follower read on to the log's present end. */
  readOn(): void {
    this.#requested += 1;
    this.#requests.emit('request');
  }

  async *follow({ after, types, signal }: FollowOptions): AsyncGenerator<RecordedPage> {
    let position = after;
    while (!signal.aborted) {
      const requested = this.#requested;
      const head = (await this.log.store.head()) ?? 0;
      for await (const page of this.log.store.readAll({ after: position, types })) {
        yield { ...page, events: await this.log.decode(page.events) };
        position = page.position === 0 ? null : page.position;
      }
      // With a type filter, some stores end at an earlier position, although they have read up to the end.
      if (head > (position ?? 0)) yield { events: [], position: (position = head), live: true };
      if (requested === this.#requested) await this.#nextRequest(signal);
    }
  }

  async #nextRequest(signal: AbortSignal): Promise<void> {
    try {
      await once(this.#requests, 'request', { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
