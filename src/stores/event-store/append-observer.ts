import type { DomainEvent } from '../../kernel/event.js';

/** Is told of every append that this process makes, once the log has acknowledged it. */
export interface AppendObserver {
  /** @param seconds from the first byte that was encoded to the acknowledgement */
  appended(events: readonly DomainEvent[], seconds: number): void;
}
