/** A client's event queue as stored: without its events, which are mapped again from the log. */
export interface StoredQueue {
  readonly id: string;
  readonly userId: number;
  /** The process that fills it with events. */
  readonly holder: string;
  /** The client's options, as JSON. */
  readonly options: string;
  /** Position of the log at which the client registered. */
  readonly base: number;
  /** Position of the log up to which the client has all events. */
  readonly settled: number;
  /** The last event that the client acknowledged, by its id in the queue. */
  readonly acknowledged: number;
  /** Id of the queue's first event; null: there is none, or it is not from the log. */
  readonly first: number | null;
  /** When the queue expires: milliseconds since the UNIX epoch. */
  readonly until: number;
}

/**
 * Stores event queues so that they outlive the process that fills them (docs/adr/0034). Backups do not contain it: clients whose queues are
 * lost register again.
 */
export interface QueueStore {
  /**
   * Stores queues that are new, or that their holder still holds.
   *
   * @returns the ids of those that another process has taken over, which are not changed
   */
  put(queues: readonly StoredQueue[]): Promise<readonly string[]>;
  find(id: string): Promise<StoredQueue | null>;
  /** Transfers a queue to another holder. @returns whether the former holder still held it */
  take(id: string, holders: { readonly from: string; readonly to: string }): Promise<boolean>;
  /** Removes queues that a process holds. */
  remove(ids: readonly string[], holder: string): Promise<void>;
  /** Removes queues whose clients registered before a position of the log. */
  removeRegisteredBefore(position: number): Promise<void>;
  /** Removes expired queues. */
  removeBefore(time: number): Promise<void>;
  /** The lowest position up to which a client has all events; null: there are no queues. */
  leastSettled(): Promise<number | null>;
  /** Records that a process is alive until a time; null: that it has ended. */
  noteHolder(holder: string, until: number | null): Promise<void>;
  /** Until when a process is known to be alive, at least; null: it is unknown. */
  holderUntil(holder: string): Promise<number | null>;
  close(): Promise<void>;
}

/** The store is unavailable. */
export class QueueStoreUnavailableError extends Error {
  override readonly name = 'QueueStoreUnavailableError';
}
