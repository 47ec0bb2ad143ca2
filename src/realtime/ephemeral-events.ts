import type { Logger } from '../../projections/engine/logger.js';
import type { Snapshot } from '../access/snapshot.js';
import type { Delivery } from './delivery.js';
import type { EventFeed } from './event-feed.js';
import type { AddressedEvent } from './mapper.js';
import { withoutMessage } from './mapper-reads.js';

/** What {@link EphemeralEvents} depend on. */
interface EphemeralEventsOptions {
  readonly feed: EventFeed;
  readonly delivery: Delivery;
  readonly logger: Logger;
}

/**
 * Sends clients events that never enter the log because they lose their value within a minute: typing and
 * presence. Clients that are not connected miss them.
 */
export class EphemeralEvents {
  private delivered: Promise<void> = Promise.resolve();

  constructor(private readonly options: EphemeralEventsOptions) {}

  /** Delivers them one after the other, because a later event may revoke an earlier one. */
  publish(eventsFor: (snapshot: Snapshot) => readonly AddressedEvent[]): void {
    const clientEvents = eventsFor(this.options.feed.snapshot);
    this.delivered = this.delivered
      .then(() => this.deliver(clientEvents))
      .catch((error: unknown) => {
        this.options.logger.error({ err: error }, 'Clients could not be told what is of the moment');
      });
  }

  private async deliver(clientEvents: readonly AddressedEvent[]): Promise<void> {
    const { feed, delivery, logger } = this.options;
    const source = { position: null, after: feed.dispatchedThrough };
    const failed = await delivery.deliver(clientEvents, { directory: feed.snapshot.directory, source });
    await delivery.flush();
    if (failed === null) return;
    const fields = { clients: failed.count, error: withoutMessage(failed.error) };
    logger.error(fields, 'Some clients could not be told what is of the moment');
  }
}
