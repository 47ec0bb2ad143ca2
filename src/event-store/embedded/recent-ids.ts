import type { LogFile } from './log-file.js';

/** How many events back a retry under "any" is recognised. */
export const RECENT_EVENTS = 65_536;

/**
 * The ids of the last events of one stream, by which an append under "any" that is tried again is recognised.
 * EventStoreDB does the same, with a cache of similar size.
 */
export class RecentIds {
  readonly #revisions = new Map<string, number>();
  #tail = -1;

  constructor(private readonly stream: string) {}

  /** Takes in what was committed since, by this connection or another. */
  catchUp(file: LogFile, { tail, head }: { readonly tail: number; readonly head: number }): void {
    if (tail === this.#tail) return;
    const from = Math.max(this.#tail, tail - RECENT_EVENTS);
    for (const [id, revision] of file.idsAfter(this.stream, from, head)) this.add(id, revision);
  }

  add(id: string, revision: number): void {
    this.#revisions.set(id, revision);
    this.#tail = revision;
    if (this.#revisions.size > RECENT_EVENTS) this.#forgetOldest();
  }

  revisionOf(id: string): number | undefined {
    return this.#revisions.get(id);
  }

  #forgetOldest(): void {
    for (const id of this.#revisions.keys()) {
      this.#revisions.delete(id);
      return;
    }
  }
}
