import type { Reactor } from '../../projections/engine/reactor.js';
import type { EventOf, RecordedEvent } from '../kernel/event.js';
import type { Erasing } from './erasing.js';
import type { PersonErasureRequested } from './events.js';

type Requested = RecordedEvent<EventOf<typeof PersonErasureRequested>>;

/** Erases people, where the read models are kept: one that a crash cut off is done again from its beginning. */
export class ErasePeople implements Reactor {
  readonly name = 'erase-people';
  readonly on = {
    PersonErasureRequested: (event: RecordedEvent): Promise<void> =>
      this.erasing.person((event as unknown as Requested).data.userId, event),
  };

  constructor(private readonly erasing: Erasing) {}
}
