import type { Logger } from '../../projections/engine/logger.js';
import type { Snapshot } from '../access/snapshot.js';
import type { Delivery } from './delivery.js';
import type { EventFeed } from './event-feed.js';
import type { AddressedEvent } from './mapper.js';

/** What {@link EphemeralEvents} work with. */
export interface EphemeralEventsOptions {
  readonly feed: EventFeed;
  readonly delivery: Delivery;
  readonly logger: Logger;
}

/**
 * Tells clients of what is worth nothing a minute later and never enters the log: that somebody types, that somebody is here.
 * Whoever is not listening misses it.
 */
export class EphemeralEvents {
  private delivered: Promise<void> = Promise.resolve();

  constructor(private readonly options: EphemeralEventsOptions) {}

  /** One is delivered after the other, since a later one may take back what an earlier one said. */
  publish(told: (snapshot: Snapshot) => readonly AddressedEvent[]): void {
    const clientEvents = told(this.options.feed.snapshot);
    this.delivered = this.delivered
      .then(() => this.deliver(clientEvents))
      .catch((error: unknown) => {
        this.options.logger.error({ err: error }, 'Clients could not be told what is of the moment');
      });
  }

  private async deliver(clientEvents: readonly AddressedEvent[]): Promise<void> {
    const { feed, delivery } = this.options;
    const source = { position: null, after: feed.dispatchedThrough };
    await delivery.deliver(clientEvents, { directory: feed.snapshot.directory, source });
    await delivery.flush();
  }
}
