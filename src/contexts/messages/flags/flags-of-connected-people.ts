import type { EventQueues } from '../../../realtime/queues/event-queues.js';
import { BatchedCalls } from '../../../runtime/batched-calls.js';
import type { PersistedEvent } from '../../../stores/event-store/port.js';
import { FlagsCache, type ReadFlags } from './flags-cache.js';
import type { PersonalFlags } from './flags.state.js';

/** Whose flags are needed. */
export type FlagsAudience = readonly number[] | 'everyone';

/** The message flags of people who have a client in this process. Reads for events on the same page of the log are batched. */
export class FlagsOfConnectedPeople {
  private readonly cache: FlagsCache;
  private readonly batch = new BatchedCalls<FlagsAudience, ReadonlyMap<number, PersonalFlags>>(
    async (audiences) => {
      const flags = await this.cache.of(this.listenersAmong(audiences));
      return audiences.map(() => flags);
    },
  );

  constructor(
    private readonly queues: Pick<EventQueues, 'hasClient' | 'accountsWithClients'>,
    read: ReadFlags,
  ) {
    this.cache = new FlagsCache(read);
  }

  /** People who never set a flag are left out. */
  async among(audience: FlagsAudience): Promise<ReadonlyMap<number, PersonalFlags>> {
    return (await this.batch.call([audience]))[0] ?? new Map<number, PersonalFlags>();
  }

  /** To be called with the events of the log before they are mapped. */
  appended(events: readonly PersistedEvent[]): void {
    this.cache.appended(events);
  }

  private listenersAmong(audiences: readonly FlagsAudience[]): readonly number[] {
    if (audiences.includes('everyone')) return this.queues.accountsWithClients();
    const ids = new Set(audiences.flatMap((audience) => (audience === 'everyone' ? [] : audience)));
    return [...ids].filter((id) => this.queues.hasClient(id));
  }
}
