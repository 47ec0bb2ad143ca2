import type { DomainEvent } from '../../kernel/event.js';

/** Called for every append of this process, once the log has acknowledged it. */
export interface AppendObserver {
  /** @param seconds from encoding the events to the acknowledgement */
  appended(events: readonly DomainEvent[], seconds: number): void;
}
