import type { AppendResult, PersistedEvent, StoredEvent } from '../port.js';
import type { AppendCalls } from './append-calls.js';

/** How many of a stream's last events are known by their ids: about as far back as a retry can be expected. */
const REMEMBERED = 16_384;

const PAGE = 512;

/** Where an event stands, and everything up to which position a reader has read who has seen it. */
type Place = Pick<PersistedEvent, 'id' | 'revision' | 'position'>;

/**
 * The end of a stream as this process knows it: its last revision, and which events stand before it. It is read once, and after
 * that only what others wrote.
 */
export class StreamTail {
  /** Undefined: it was not looked for yet. -1: the stream is empty. */
  #revision: number | undefined;
  /** In the order of the stream. */
  readonly #places = new Map<string, AppendResult>();
  #isCertain = false;

  constructor(
    private readonly calls: AppendCalls,
    private readonly stream: string,
  ) {}

  /** Of the last event; -1: the stream is empty. */
  get revision(): number {
    return this.#revision ?? -1;
  }

  /** An append failed, or its outcome is not known: the stream may have gone on. */
  doubt(): void {
    this.#isCertain = false;
  }

  /** Reads what may have been written by others, or by an append of which nobody knows the outcome. */
  async ascertain(): Promise<void> {
    if (this.#isCertain) return;
    if (this.#revision === undefined) await this.#readBackwards();
    else await this.#readOn(this.#revision);
    this.#isCertain = true;
  }

  /** Takes note of what follows the end. */
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

  /** Where these events stand together; `partly` where only some of them do, or elsewhere; undefined where none is known. */
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
