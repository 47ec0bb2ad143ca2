import { Injectable } from '@nestjs/common';
import { Delivery } from './delivery.js';
import { EventFeed } from './event-feed.js';
import { translateEphemeral, type EphemeralEvent } from './translations/ephemeral.js';

/**
 * Tells clients of what is worth nothing a minute later and never enters the log: that somebody types, that somebody is here.
 * Whoever is not listening misses it.
 */
@Injectable()
export class EphemeralEvents {
  constructor(
    private readonly feed: EventFeed,
    private readonly delivery: Delivery,
  ) {}

  publish(event: EphemeralEvent): void {
    const { moment } = this.feed;
    this.delivery.deliver(translateEphemeral(event, moment), moment.directory);
    void this.delivery.flush();
  }
}
