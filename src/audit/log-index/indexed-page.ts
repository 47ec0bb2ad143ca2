import type { AuditEntryDocument } from '../../contexts/audit-index/read-model.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { UnreadableEvent } from '../../stores/event-store/readable-events.js';
import type { Collection } from '../../stores/read-store/port.js';
import { CLOCKS_AGREE_WITHIN } from '../moment.js';
import type { LogSelection } from '../log/log-selection.js';
import type { IndexedLog } from './audit-index.js';
import { firstSince } from './event-before.js';
import { CommonEntries, type Direction, type PositionRange } from './common-entries.js';
import { termsOf } from './facet-groups.js';
import { InsertedEvents, passedOverEvents } from './passed-over-events.js';
import { movedEvents } from './moved-events.js';
import { entriesWithin, selectedOf } from './selected-entries.js';
import { MAX_TAIL, readTail, type Tail } from './tail.js';

/** How much to read, and in which direction. */
interface IndexedExtent {
  readonly direction: Direction;
  /** Maximum number of events. */
  readonly limit: number;
}

/** The events that were found, in the direction of the request. */
export interface IndexedPage {
  readonly events: readonly (RecordedEvent | UnreadableEvent)[];
  /** Everything up to this position, in the direction, was looked at; null: there was nothing to look at. */
  readonly position: number | null;
  /** Whether the log ends here, in the direction. */
  readonly isEnd: boolean;
  /**
   * Backwards only: the position after which nothing was looked at. A client that follows the log continues after it.
   */
  readonly newest: number | null;
  /** How many rows of the index were read. */
  readonly rows: number;
}

/** How many events are read from the log at once. */
const EVENTS_AT_ONCE = 100;

/**
 * Reads a page of the selected events by the index. It reads as many rows as the page needs, at most the budget
 * `auditRows`; a page that ends for that reason says where to continue. Events that are not in the index yet are read
 * from the log.
 *
 * @throws ApplicationError `auditIndexBehind`; the error of the deadline
 */
export async function readIndexedPage(
  indexed: IndexedLog,
  selection: LogSelection,
  extent: IndexedExtent,
): Promise<IndexedPage> {
  const { position: learned } = await indexed.index.model.checkpoint();
  if (learned === null) throw failure('auditIndexBehind');
  const page = new PageInMaking(indexed, selection, extent);
  return extent.direction === 'forwards' ? page.forwards(learned) : page.backwards(learned);
}

class PageInMaking {
  private readonly events: (RecordedEvent | UnreadableEvent)[] = [];
  private rows = 0;
  private characters = 0;
  private newest: number | null = null;
  private readonly entries: Collection<AuditEntryDocument>;

  constructor(
    private readonly indexed: IndexedLog,
    private readonly selection: LogSelection,
    private readonly extent: IndexedExtent,
  ) {
    this.entries = indexed.index.model.collection<AuditEntryDocument>('audit_entries');
  }

  async forwards(learned: number): Promise<IndexedPage> {
    const { from = 0 } = this.selection;
    if (from <= learned) {
      const stopped = await this.takeIndexed(learned);
      if (stopped !== null) return this.page(stopped, false);
    }
    const tail = await this.tail(learned);
    for (const event of tail.events) if (this.take(event)) return this.page(event.position, false);
    return this.page(Math.max(tail.position ?? learned, from - 1), tail.isWhole);
  }

  async backwards(learned: number): Promise<IndexedPage> {
    const { through = Infinity, from = 0 } = this.selection;
    this.newest = Math.min(through, learned);
    if (through > learned) {
      const tail = await this.tail(learned);
      if (!tail.isWhole) throw failure('auditIndexBehind');
      this.newest = Math.min(through, tail.position ?? learned);
      for (const event of tail.events.toReversed())
        if (this.take(event)) return this.page(event.position, false);
    }
    const stopped = await this.takeIndexed(learned);
    return stopped === null ? this.page(from, true) : this.page(stopped, false);
  }

  /**
   * @returns where it stopped because the page is full or the budget is spent; null: it reached the end of the index
   */
  private async takeIndexed(learned: number): Promise<number | null> {
    const { direction, limit } = this.extent;
    const bounds = await this.bounds(learned);
    const moved = await movedEvents(this.indexed, { selection: this.selection, direction, limit }, bounds);
    const { selection, range } = moved;
    this.rows += moved.rows;
    const maxRows = budgets.auditRows.max - this.rows;
    const common = new CommonEntries(termsOf(selection), {
      entries: this.entries,
      range,
      direction,
      maxRows,
    });
    const passedOver = await passedOverEvents(this.indexed, selection, range);
    const inserted = new InsertedEvents([...passedOver, ...moved.events], direction);
    try {
      for (;;) {
        this.indexed.deadline.throwIfOver();
        const found = await common.next();
        for await (const event of this.read(found.entries, selection)) {
          const full = this.takeAll([...inserted.before(event.position), event]);
          if (full !== null) return full;
        }
        if (found.isEnd) return this.takeAll(inserted.before(null)) ?? endOf(range, bounds, direction);
        if (common.isSpent) return this.takeAll(inserted.before(common.bound)) ?? common.passed;
      }
    } finally {
      this.rows += common.rows;
    }
  }

  /** Reads the events that are not in the index yet. */
  private async tail(learned: number): Promise<Tail> {
    const { log, index, moved } = this.indexed;
    const { selection } = this;
    const found =
      selection.messageId === undefined
        ? undefined
        : await moved?.movesWithin([learned + 1, Infinity], { direction: 'forwards', limit: MAX_TAIL });
    const movedAt = new Set(found?.positions);
    return readTail({ log, index: index.model, after: learned }, { ...selection, movedAt });
  }

  /** Reads the selected events of index entries, in the order of the entries. */
  private async *read(
    found: readonly AuditEntryDocument[],
    selection: LogSelection,
  ): AsyncGenerator<RecordedEvent | UnreadableEvent> {
    const entries = entriesWithin(found, selection);
    for (let next = 0; next < entries.length;) {
      const wanted = Math.min(EVENTS_AT_ONCE, this.extent.limit - this.events.length);
      const events = await selectedOf(this.indexed.log, entries.slice(next, next + wanted), selection);
      yield* this.extent.direction === 'forwards' ? events : events.toReversed();
      next += wanted;
    }
  }

  /** Adds events to the page. @returns the position of the event that filled the page; null: the page is not full */
  private takeAll(events: readonly (RecordedEvent | UnreadableEvent)[]): number | null {
    for (const event of events) if (this.take(event)) return event.position;
    return null;
  }

  /** Adds an event to the page. @returns whether the page is full */
  private take(event: RecordedEvent | UnreadableEvent): boolean {
    this.events.push(event);
    this.characters += JSON.stringify(event).length;
    return this.events.length >= this.extent.limit || this.characters >= budgets.logPageCharacters.max;
  }

  /** The range of positions of the selection, as far as the index goes. */
  private async bounds(learned: number): Promise<PositionRange> {
    const { from = 0, through = learned, since, until } = this.selection;
    const lowest = since === undefined ? 0 : await this.firstSince(since - CLOCKS_AGREE_WITHIN, learned);
    const highest =
      until === undefined ? learned : await this.firstSince(until + CLOCKS_AGREE_WITHIN, learned);
    return [Math.max(from, lowest), Math.min(through, highest, learned)];
  }

  private async firstSince(time: number, learned: number): Promise<number> {
    const { position, rows } = await firstSince(this.entries, time, learned);
    this.rows += rows;
    return position;
  }

  private page(position: number | null, isEnd: boolean): IndexedPage {
    return { events: this.events, position, isEnd, newest: this.newest, rows: this.rows };
  }
}

/** The end of the range that was searched, in the direction; null: it is the end of the selection. */
function endOf(looked: PositionRange, bounds: PositionRange, direction: Direction): number | null {
  const side = direction === 'forwards' ? 1 : 0;
  return looked[side] === bounds[side] ? null : looked[side];
}
