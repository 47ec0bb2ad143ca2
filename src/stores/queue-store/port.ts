/** A client's queue of events as it is kept: not the events, which are made again from the log. */
export interface StoredQueue {
  readonly id: string;
  readonly userId: number;
  /** The process that fills it with events. */
  readonly holder: string;
  /** What the client asked for, as JSON. */
  readonly options: string;
  /** Position of the log at which the client registered. */
  readonly base: number;
  /** Position of the log through which the client has everything. */
  readonly settled: number;
  /** The last event that the client said that it has, by its id in the queue. */
  readonly acknowledged: number;
  /** Id of the queue's first event; null: none, or it is not of the log. */
  readonly first: number | null;
  /** When nobody needs it any more: milliseconds since the UNIX epoch. */
  readonly until: number;
}

/**
 * Stores queues of events so that they outlive the process that fills them (docs/adr/0034). It is in no backup: clients whose queues
 * are lost register again.
 */
export interface QueueStore {
  /**
   * Puts queues that their holder holds, or that are new.
   *
   * @returns the ids of those that another process has taken over: they are left as they were
   */
  put(queues: readonly StoredQueue[]): Promise<readonly string[]>;
  find(id: string): Promise<StoredQueue | null>;
  /** Hands a queue over. @returns whether the former holder still held it */
  take(id: string, holders: { readonly from: string; readonly to: string }): Promise<boolean>;
  /** Removes those of some that a process holds. */
  remove(ids: readonly string[], holder: string): Promise<void>;
  removeOf(userId: number): Promise<void>;
  /** Removes those whose clients registered before a position of the log. */
  removeRegisteredBefore(position: number): Promise<void>;
  /** Removes those that nobody needs any more. */
  removeBefore(time: number): Promise<void>;
  /** The least position through which a client has everything; null: no queue is kept. */
  leastSettled(): Promise<number | null>;
  /** Says that a process lives, until a time; null: that it does not any more. */
  noteHolder(holder: string, until: number | null): Promise<void>;
  /** Until when a process said that it lives, at least; null: nobody knows of it. */
  holderUntil(holder: string): Promise<number | null>;
  close(): Promise<void>;
}

/** The store cannot take or give anything now. */
export class QueueStoreUnavailableError extends Error {
  override readonly name = 'QueueStoreUnavailableError';
}
