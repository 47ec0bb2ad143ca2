import { OperatorOrders, type GivenUp } from '../../../projections/engine/operator-orders.js';
import type { Configuration } from '../../config.js';
import { ReadStoreUnavailableError } from '../../stores/read-store/port.js';
import { openReadStore } from '../../stores/stores.js';

/** The events that operators gave up: what is read lacks them, though they are in the log. Read models that cannot be read tell none. */
export async function discardedEvents(configuration: Configuration): Promise<readonly GivenUp[]> {
  try {
    const readStore = await openReadStore(configuration, { readOnly: true });
    try {
      return await new OperatorOrders(readStore).allDiscarded();
    } finally {
      await readStore.close();
    }
  } catch (error) {
    // Whoever verifies is told of that where the checkpoints are read.
    if (error instanceof ReadStoreUnavailableError) return [];
    throw error;
  }
}

/** A sentence about an event that was given up. */
export function lineAbout({ follower, event }: GivenUp): string {
  return `${follower} lacks ${event.type} at position ${event.position}, which was given up: "projections dead-letters restore ${follower}" takes that back`;
}
