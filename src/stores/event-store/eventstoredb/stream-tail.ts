import type { AppendResult, PersistedEvent, StoredEvent } from '../port.js';
import type { AppendCalls } from './append-calls.js';

/** How many event ids at the end of a stream are remembered: about as many as a retry may go back. */
const REMEMBERED = 16_384;

const PAGE = 512;

/** The place of an event, and the position at which a reader has read the whole append. */
type Place = Pick<PersistedEvent, 'id' | 'revision' | 'position'>;

/**
 * The end of a stream as this process knows it: its last revision, and the places of its last events. It is read once; afterwards only the
 * events of other processes are read.
 */
export class StreamTail {
  /** Undefined: not read yet. -1: the stream is empty. */
  #revision: number | undefined;
  /** In stream order. */
  readonly #places = new Map<string, AppendResult>();
  #isCertain = false;

  constructor(
    private readonly calls: AppendCalls,
    readonly stream: string,
  ) {}

  /** Revision of the last event; -1: the stream is empty. */
  get revision(): number {
    return this.#revision ?? -1;
  }

  /** To be called after an append failed or its outcome is unknown: the stream may have a newer revision. */
  doubt(): void {
    this.#isCertain = false;
  }

  /** Reads events of other processes, or of an append with unknown outcome. */
  async ascertain(): Promise<void> {
    if (this.#isCertain) return;
    if (this.#revision === undefined) await this.#readBackwards();
    else await this.#readOn(this.#revision);
    this.#isCertain = true;
  }

  /** Adds the events after the known end. */
  advance(events: readonly Place[]): void {
    for (const { id, revision, position } of events) {
      this.#places.set(id, { revision, position });
      this.#revision = revision;
    }
    for (const id of this.#places.keys()) {
      if (this.#places.size <= REMEMBERED) break;
      this.#places.delete(id);
    }
  }

  /** The place of these events; `partly`: only some of them are stored, or not together; undefined: none is known. */
  find(events: readonly StoredEvent[]): AppendResult | 'partly' | undefined {
    const places = events.map(({ id }) => this.#places.get(id));
    if (places.every((place) => place === undefined)) return undefined;
    const first = places[0]?.revision;
    const isWhole = places.every((place, index) => place !== undefined && place.revision === first! + index);
    return isWhole ? places.at(-1)! : 'partly';
  }

  async #readBackwards(): Promise<void> {
    const pages: (readonly PersistedEvent[])[] = [];
    let fromRevision: bigint | 'end' = 'end';
    for (let read = 0; read < REMEMBERED; read += PAGE) {
      const page = await this.calls.read(this.stream, {
        fromRevision,
        maxCount: PAGE,
        direction: 'backwards',
      });
      pages.push(page);
      const oldest = page.at(-1)?.revision ?? 0;
      if (oldest === 0) break;
      fromRevision = BigInt(oldest - 1);
    }
    this.#revision = -1;
    this.advance(pages.flat().reverse());
  }

  async #readOn(last: number): Promise<void> {
    for (let from = last + 1; ; from += PAGE) {
      const page = await this.calls.read(this.stream, { fromRevision: BigInt(from), maxCount: PAGE });
      this.advance(page);
      if (page.length < PAGE) return;
    }
  }
}
