/** Maximum number of events that one queue gets from one event of the log. */
const OF_LOG = 2 ** 15;

/**
 * How many ids belong to one log position: first those of its event, then those of events outside the log
 * that came after it.
 */
const OF_POSITION = 2 ** 16;

/** Where an event of a queue comes from. */
export interface EventSource {
  /** Log position of the event; null: it is not from the log, and cannot be restored. */
  readonly position: number | null;
  /**
   * Everything up to this position was dispatched before the event. The position never lies within an append.
   */
  readonly after: number;
}

/** How far the client of a queue is. */
export interface QueueProgress {
  /** Log position at which the client registered. */
  readonly base: number;
  /**
   * Id of the queue's first event, if that is from the log: clients see it as 0. Null: unknown, or there was
   * none.
   */
  readonly first: number | null;
  /**
   * Id of the last event that the client acknowledged; -1: none. 0, while `first` is null: the first event,
   * whatever its id.
   */
  readonly acknowledged: number;
}

/** The progress of a client that registers at this log position. */
export function atRegistration(base: number): QueueProgress {
  return { base, first: null, acknowledged: -1 };
}

/**
 * The ids of a queue's events. They increase, with gaps. They derive from log positions, so that another process, or
 * this one after a crash, gives the same ids to the same events, and acknowledgements remain valid.
 */
export class EventIds {
  readonly base: number;
  private firstId: number | null;
  /** The highest id that a client may know; -1: none. */
  private highest: number;

  constructor({ base, first, acknowledged }: QueueProgress) {
    this.base = base;
    this.firstId = first;
    this.highest = first === null && acknowledged === 0 ? -1 : acknowledged;
  }

  get first(): number | null {
    return this.firstId;
  }

  /** Id of the next event from the log; null: no id is left for this position. */
  next(position: number, index: number): number | null {
    const id = (position - this.base) * OF_POSITION + index;
    if (index >= OF_LOG || !Number.isSafeInteger(id)) return null;
    if (this.highest < 0) this.firstId ??= id;
    this.highest = Math.max(this.highest, id);
    return id;
  }

  /** Id of the next event outside the log; null: no id is left until the log goes on. */
  nextOutsideLog(after: number): number | null {
    const position = Math.max(Math.floor(this.highest / OF_POSITION), after - this.base, 0);
    const id = Math.max(position * OF_POSITION + OF_LOG, this.highest + 1);
    if (id % OF_POSITION < OF_LOG || !Number.isSafeInteger(id)) return null;
    this.highest = id;
    return id;
  }

  /** The internal id of the event that a client means. */
  meant(shown: number): number {
    return shown === 0 ? (this.firstId ?? 0) : shown;
  }

  /** Whether an id was never shown to a client: it lies between 0 and the id that is shown as 0. */
  isNone(shown: number): boolean {
    return this.firstId !== null && shown > 0 && shown <= this.firstId;
  }

  /** The id as clients see it. */
  shown(id: number): number {
    return id === this.firstId ? 0 : id;
  }
}

/** The log position that an id of a queue derives from. */
export function positionOf(id: number, base: number): number {
  return base + Math.floor(id / OF_POSITION);
}
