import type { LogFile } from './log-file.js';

/** How many events back a retry under "any" is recognised. */
export const RECENT_EVENTS = 65_536;

const ID_BYTES = 16;

/** How many ids are read from the file at a time. */
const PAGE = 4096;

const NONE = -1;

/**
 * The ids of the last events of one stream, by which an append under "any" that is tried again is recognised.
 * EventStoreDB does the same, with a cache of similar size.
 *
 * The ids stand as bytes in a ring, where the event of each revision has its slot, and the slots of ids that end alike are
 * chained, the youngest first (many begin alike, with the time): as strings in a map they would take ten times the memory, all of it for the garbage collector
 * to look through.
 */
export class RecentIds {
  readonly #ids = Buffer.alloc(RECENT_EVENTS * ID_BYTES);
  readonly #youngest = new Int32Array(RECENT_EVENTS).fill(NONE);
  readonly #older = new Int32Array(RECENT_EVENTS).fill(NONE);
  #first = 0;
  #tail = -1;

  constructor(private readonly stream: string) {}

  /** Takes in what was committed since, by this connection or another. */
  catchUp(file: LogFile, { tail, head }: { readonly tail: number; readonly head: number }): void {
    while (this.#tail < tail) {
      const after = Math.max(this.#tail, tail - RECENT_EVENTS);
      const found = file.idsAfter(this.stream, after, { head, limit: PAGE });
      for (const [id, revision] of found) this.add(id, revision);
      if (found.length === 0) return;
    }
  }

  /** @param revision the next one; after a gap, what was known before is forgotten */
  add(id: string, revision: number): void {
    if (revision !== this.#tail + 1) this.#forgetAll(revision);
    if (revision - this.#first === RECENT_EVENTS) this.#forgetOldest();
    const slot = revision % RECENT_EVENTS;
    const bytes = bytesOf(id);
    bytes.copy(this.#ids, slot * ID_BYTES);
    const chain = chainOf(bytes);
    this.#older[slot] = this.#youngest[chain]!;
    this.#youngest[chain] = slot;
    this.#tail = revision;
  }

  revisionOf(id: string): number | undefined {
    const bytes = bytesOf(id);
    for (let slot = this.#youngest[chainOf(bytes)]!; slot !== NONE; slot = this.#older[slot]!) {
      if (!bytes.equals(this.#idIn(slot))) continue;
      return this.#first + ((slot - this.#first) & (RECENT_EVENTS - 1));
    }
    return undefined;
  }

  #forgetAll(first: number): void {
    this.#youngest.fill(NONE);
    this.#first = first;
  }

  /** The oldest of all is the last of its chain. */
  #forgetOldest(): void {
    const oldest = this.#first % RECENT_EVENTS;
    const chain = chainOf(this.#idIn(oldest));
    let slot = this.#youngest[chain]!;
    if (slot === oldest) this.#youngest[chain] = NONE;
    while (slot !== oldest && this.#older[slot] !== oldest) slot = this.#older[slot]!;
    this.#older[slot] = NONE;
    this.#first += 1;
  }

  #idIn(slot: number): Buffer {
    return this.#ids.subarray(slot * ID_BYTES, (slot + 1) * ID_BYTES);
  }
}

/** Of an id that was damaged, what is left: it is nobody's. */
function bytesOf(id: string): Buffer {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return bytes.length === ID_BYTES ? bytes : Buffer.concat([bytes, Buffer.alloc(ID_BYTES)], ID_BYTES);
}

function chainOf(id: Buffer): number {
  return id.readUInt16BE(ID_BYTES - 2);
}
