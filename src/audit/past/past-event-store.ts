import {
  EventStoreUnavailableError,
  type AppendResult,
  type EventPage,
  type EventStore,
  type PersistedEvent,
  type ReadAllOptions,
  type ReadStreamOptions,
  type SubscribeAllOptions,
} from '../../stores/event-store/port.js';

const PAGE = 512;

/** The log up to a certain end. Subscribers receive everything up to it, and nothing after that. */
export class PastEventStore implements EventStore {
  /**
   * @param through everything up to this position is visible; the log need not have an event at exactly this position
   */
  constructor(
    private readonly store: EventStore,
    readonly through: number,
  ) {}

  append(): Promise<AppendResult> {
    return Promise.reject(new EventStoreUnavailableError('The past cannot be changed', false));
  }

  async readStream(stream: string, options: ReadStreamOptions): Promise<readonly PersistedEvent[]> {
    const { direction = 'forwards', limit } = options;
    if (direction === 'forwards') {
      return (await this.store.readStream(stream, options)).filter(
        ({ position }) => position <= this.through,
      );
    }
    let from = options.from;
    for (;;) {
      const page = await this.store.readStream(stream, {
        direction,
        limit: Math.max(limit, PAGE),
        ...(from !== undefined && { from }),
      });
      const past = page.filter(({ position }) => position <= this.through);
      const last = page.at(-1);
      if (past.length >= limit || last === undefined || last.revision === 0) return past.slice(0, limit);
      from = past[0]?.revision ?? last.revision - 1;
      if (past.length > 0) return (await this.readStream(stream, { direction, limit, from })).slice(0, limit);
    }
  }

  async eventAt(position: number): Promise<PersistedEvent | null> {
    return position > this.through ? null : this.store.eventAt(position);
  }

  async *readAll(options: ReadAllOptions): AsyncIterable<EventPage> {
    const { through } = this;
    // Some stores cannot start reading at a position without an event, as the end may be.
    if ((options.after ?? -1) >= through) {
      yield { events: [], position: through, live: true };
      return;
    }
    for await (const page of this.store.readAll(options)) {
      const isLast = page.live || page.position >= through;
      const events = page.events.filter(({ position }) => position <= through);
      yield { events, position: isLast ? through : page.position, live: isLast };
      if (isLast) return;
    }
  }

  async *subscribeAll({ signal, ...options }: SubscribeAllOptions): AsyncIterable<EventPage> {
    const left = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    for await (const page of this.readAll(options)) {
      if (signal.aborted) return;
      yield page;
    }
    if (!signal.aborted) await left;
  }

  async head(): Promise<number | null> {
    const head = await this.store.head();
    return head === null ? null : Math.min(head, this.through);
  }

  /** The underlying store is closed by its owner. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
