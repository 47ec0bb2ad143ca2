/** How many events of one queue come from one event of the log at most. */
const OF_LOG = 2 ** 15;

/** How many ids belong to one position of the log: after those of its event, those of what happened next and is not of the log. */
const OF_POSITION = 2 ** 16;

/** Where an event of a queue comes from. */
export interface EventSource {
  /** Of the event of the log; null: it is none of the log's, and nobody will make it again. */
  readonly position: number | null;
  /** Everything up to this position was told before it; an append is never divided by it. */
  readonly after: number;
}

/** How far the client of a queue is. */
export interface QueueProgress {
  /** Position of the log at which the client registered. */
  readonly base: number;
  /** Id of the queue's first event, where that is of the log: it is shown as 0. Null: it is not known, or there was none. */
  readonly first: number | null;
  /** The last event that it has said that it has; -1: none. 0, where the first is not known: the first, whatever its id. */
  readonly acknowledged: number;
}

/** Of a client that registers, at a position of the log. */
export function atRegistration(base: number): QueueProgress {
  return { base, first: null, acknowledged: -1 };
}

/**
 * The ids of a queue's events. They follow from positions of the log, so that whoever makes the events again, in another process
 * and after any crash, gives each the id that it had: what a client acknowledges means the same. They rise, with gaps.
 */
export class EventIds {
  readonly base: number;
  private firstId: number | null;
  /** That a client may know; -1: none. */
  private highest: number;

  constructor({ base, first, acknowledged }: QueueProgress) {
    this.base = base;
    this.firstId = first;
    this.highest = first === null && acknowledged === 0 ? -1 : acknowledged;
  }

  get first(): number | null {
    return this.firstId;
  }

  /** Of the next event from an event of the log; null: there is none left. */
  next(position: number, index: number): number | null {
    const id = (position - this.base) * OF_POSITION + index;
    if (index >= OF_LOG || !Number.isSafeInteger(id)) return null;
    if (this.highest < 0) this.firstId ??= id;
    this.highest = Math.max(this.highest, id);
    return id;
  }

  /** Of the next event that is not of the log; null: there is none left before the log goes on. */
  nextOfMoment(after: number): number | null {
    const position = Math.max(Math.floor(this.highest / OF_POSITION), after - this.base, 0);
    const id = Math.max(position * OF_POSITION + OF_LOG, this.highest + 1);
    if (id % OF_POSITION < OF_LOG || !Number.isSafeInteger(id)) return null;
    this.highest = id;
    return id;
  }

  /** Of the event that a client means. */
  meant(shown: number): number {
    return shown === 0 ? (this.firstId ?? 0) : shown;
  }

  /** Whether no event was ever shown with an id: it lies between 0 and what stands behind that. */
  isNone(shown: number): boolean {
    return this.firstId !== null && shown > 0 && shown <= this.firstId;
  }

  /** As clients are shown it. */
  shown(id: number): number {
    return id === this.firstId ? 0 : id;
  }
}

/** The position of the log from which an id of a queue comes. */
export function positionOf(id: number, base: number): number {
  return base + Math.floor(id / OF_POSITION);
}
