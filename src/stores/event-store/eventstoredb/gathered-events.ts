import type { PersistedEvent } from '../port.js';

/** Characters of data, as JSON, at which a page is full however few events it has. */
const MAX_CHARACTERS = 4_194_304;

/** The events of a subscription's next page, limited in number and size. */
export class GatheredEvents {
  #events: PersistedEvent[] = [];
  #characters = 0;

  constructor(private readonly pageSize: number) {}

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  get isFull(): boolean {
    return this.#events.length >= this.pageSize || this.#characters >= MAX_CHARACTERS;
  }

  add(event: PersistedEvent): void {
    this.#events.push(event);
    this.#characters += JSON.stringify(event.data).length;
  }

  /** Returns the gathered events, and begins the next page. */
  take(): readonly PersistedEvent[] {
    const events = this.#events;
    this.#events = [];
    this.#characters = 0;
    return events;
  }
}
