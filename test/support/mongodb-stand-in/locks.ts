import { timeExpired, writeConflict } from './failures.js';

/** The timeout of waiting for a lock. */
export interface Waiting {
  /** By the monotonic clock; null: no timeout. */
  readonly until: number | null;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Which documents are locked, and which were changed recently. */
export class Locks {
  private readonly holders = new Map<string, object>();
  /** By document: the number of its last change, counting the changes of all documents. */
  private readonly changes = new Map<string, number>();
  private readonly waiting = new Set<() => void>();
  private clock = 0;

  /** The number of changes of all documents so far. */
  get now(): number {
    return this.clock;
  }

  /** Locks documents for a transaction. @throws Refusal when another client has changed one since it began, or has locked one */
  take(documents: readonly string[], owner: object, began: number): void {
    const isAnothers = (document: string): boolean => {
      const holder = this.holders.get(document);
      return holder !== undefined && holder !== owner;
    };
    const isChanged = (document: string): boolean =>
      !this.holders.has(document) && (this.changes.get(document) ?? 0) > began;
    if (documents.some((document) => isAnothers(document) || isChanged(document))) throw writeConflict();
    for (const document of documents) this.holders.set(document, owner);
  }

  /** Locks documents once they are free. @throws Refusal on timeout */
  async await(documents: readonly string[], owner: object, { until, signal }: Waiting): Promise<void> {
    while (documents.some((document) => this.holders.has(document))) {
      if (signal.aborted || (until !== null && performance.now() >= until)) throw timeExpired();
      await this.released(until, signal);
    }
    for (const document of documents) this.holders.set(document, owner);
  }

  /** Resolves when no document of a collection, or of any collection, is locked. */
  async awaitAll(prefix: string, { until, signal }: Waiting): Promise<void> {
    while ([...this.holders.keys()].some((document) => document.startsWith(prefix))) {
      if (signal.aborted || (until !== null && performance.now() >= until)) throw timeExpired();
      await this.released(until, signal);
    }
  }

  /** Releases an owner's locks, and records whether the documents were changed. */
  release(owner: object, isChanged: boolean): void {
    if (isChanged) this.clock += 1;
    for (const [document, holder] of this.holders) {
      if (holder !== owner) continue;
      this.holders.delete(document);
      if (isChanged) this.changes.set(document, this.clock);
    }
    for (const wake of [...this.waiting]) wake();
  }

  private released(until: number | null, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = until === null ? null : setTimeout(() => wake(), Math.max(0, until - performance.now()));
      const wake = (): void => {
        if (timer !== null) clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.waiting.delete(wake);
        resolve();
      };
      this.waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}

/** A lock that many can share, or one can hold exclusively. */
export class Gate {
  private inside = 0;
  private closed: Promise<void> | null = null;
  private emptied: () => void = () => undefined;

  async together<Result>(task: () => Promise<Result>): Promise<Result> {
    while (this.closed !== null) await this.closed;
    this.inside += 1;
    try {
      return await task();
    } finally {
      this.inside -= 1;
      if (this.inside === 0) this.emptied();
    }
  }

  async byItself<Result>(task: () => Promise<Result>): Promise<Result> {
    while (this.closed !== null) await this.closed;
    let leave = (): void => undefined;
    this.closed = new Promise((resolve) => (leave = resolve));
    try {
      if (this.inside > 0) await new Promise<void>((resolve) => (this.emptied = resolve));
      return await task();
    } finally {
      this.closed = null;
      this.emptied = () => undefined;
      leave();
    }
  }
}
