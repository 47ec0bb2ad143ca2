import type { PersistedEvent } from '../port.js';

/** Characters of data, as JSON, with which a page is full however few its events are. */
const MAX_CHARACTERS = 4_194_304;

/** The page of a subscription that is being gathered: bounded in events and in what they hold. */
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

  /** Everything that was gathered; from now on the next page is. */
  take(): readonly PersistedEvent[] {
    const events = this.#events;
    this.#events = [];
    this.#characters = 0;
    return events;
  }
}
