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

/** The log up to a certain end. When the end is moved forwards, subscribers receive the further events. */
export class PastEventStore implements EventStore {
  private moved: () => void = () => {};
  private moving = this.nextMove();
  /**
   * For each end up to which something was read: a position at or before it that the store itself returned. It is
   * needed because some stores cannot start reading at a position without an event, and some do not advance past
   * events of other types.
   */
  private readonly beforeEnds = new Map<number, number | null | undefined>();

  constructor(
    private readonly store: EventStore,
    private end: number,
  ) {}

  /** The end: everything up to this position is visible. The log need not have an event at exactly this position. */
  get through(): number {
    return this.end;
  }

  /** Moves the end forwards. */
  moveTo(through: number): void {
    this.end = Math.max(this.end, through);
    const { moved } = this;
    this.moving = this.nextMove();
    moved();
  }

  append(): Promise<AppendResult> {
    return Promise.reject(new EventStoreUnavailableError('The past cannot be changed', false));
  }

  async readStream(stream: string, options: ReadStreamOptions): Promise<readonly PersistedEvent[]> {
    const { direction = 'forwards', limit } = options;
    if (direction === 'forwards') {
      return (await this.store.readStream(stream, options)).filter(({ position }) => position <= this.end);
    }
    let from = options.from;
    for (;;) {
      const page = await this.store.readStream(stream, {
        direction,
        limit: Math.max(limit, PAGE),
        ...(from !== undefined && { from }),
      });
      const past = page.filter(({ position }) => position <= this.end);
      const last = page.at(-1);
      if (past.length >= limit || last === undefined || last.revision === 0) return past.slice(0, limit);
      from = past[0]?.revision ?? last.revision - 1;
      if (past.length > 0) return (await this.readStream(stream, { direction, limit, from })).slice(0, limit);
    }
  }

  async *readAll(options: ReadAllOptions): AsyncIterable<EventPage> {
    const after = options.after ?? -1;
    let known = this.beforeEnds.get(after) ?? options.after;
    for await (const page of this.store.readAll({ ...options, after: known })) {
      const isLast = page.live || page.position >= this.end;
      const events = page.events.filter(({ position }) => position > after && position <= this.end);
      known = page.position > this.end ? (events.at(-1)?.position ?? known) : page.position;
      if (isLast) this.beforeEnds.set(this.end, known);
      yield { events, position: isLast ? this.end : Math.max(page.position, after), live: isLast };
      if (isLast) return;
    }
  }

  async *subscribeAll({ signal, ...options }: SubscribeAllOptions): AsyncIterable<EventPage> {
    const left = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    let { after } = options;
    while (!signal.aborted) {
      const { moving } = this;
      for await (const page of this.readAll({ ...options, after })) {
        if (signal.aborted) return;
        after = page.position;
        yield page;
      }
      await Promise.race([moving, left]);
    }
  }

  async head(): Promise<number | null> {
    const head = await this.store.head();
    return head === null ? null : Math.min(head, this.end);
  }

  /** The underlying store is closed by its owner. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  private nextMove(): Promise<void> {
    return new Promise((resolve) => {
      this.moved = resolve;
    });
  }
}
