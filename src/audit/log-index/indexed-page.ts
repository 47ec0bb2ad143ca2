import type { AuditEntryDocument } from '../../contexts/audit-index/read-model.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import {
  decodeReadable,
  isReadable,
  type UnreadableEvent,
} from '../../stores/event-store/readable-events.js';
import type { Collection, Filter } from '../../stores/read-store/port.js';
import { CLOCKS_AGREE_WITHIN } from '../clocks.js';
import { isSelected, type LogSelection } from '../log-selection.js';
import { asStored } from '../selected-events.js';
import type { IndexedLog } from './audit-index.js';
import { firstSince } from './event-before.js';
import { groupsOf } from './groups.js';
import { PassedOverEvents } from './passed-over-events.js';
import { CommonPostings, Postings, type Direction, type RowsLooked } from './postings.js';
import { storedEventsAt } from './stored-events-at.js';
import { readTail, type Tail } from './tail.js';

/** How much is read, and which way. */
export interface IndexedExtent {
  readonly direction: Direction;
  /** At most so many events. */
  readonly limit: number;
}

/** Events that were found, in the direction in which they were asked for. */
export interface IndexedPage {
  readonly events: readonly (RecordedEvent | UnreadableEvent)[];
  /** Everything up to here, in the direction, was looked at; null: there is nothing. */
  readonly position: number | null;
  /** Whether the log ends here, in the direction. */
  readonly isEnd: boolean;
  /** The position behind which nothing was looked at, where the page goes backwards: whoever follows the log goes on after it. */
  readonly newest: number | null;
  /** How many rows of the index were looked at. */
  readonly rows: number;
}

/** So many events are read from the log at once. */
const EVENTS_AT_ONCE = 100;

/**
 * Reads a page of what was selected by the index: as many rows of it as the page takes, and never more than `auditRows` of the budgets; a page that
 * ends for that reason says where the next one goes on. What the index has yet to learn of is read from the log.
 *
 * @throws ApplicationError `auditIndexBehind`, and what the deadline ends it with
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
  private readonly looked: RowsLooked = { rows: 0 };
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

  /** @returns where it stopped because the page is full, or the budget spent; null: it went to the end of the index */
  private async takeIndexed(learned: number): Promise<number | null> {
    const { direction } = this.extent;
    const [lowest, highest] = await this.bounds(learned);
    const [from, end] = direction === 'forwards' ? [lowest, highest] : [highest, lowest];
    const isBeyond = (position: number): boolean =>
      direction === 'forwards' ? position > end : position < end;
    const common = new CommonPostings(this.lists(), { from, direction });
    const asked = { selection: this.selection, direction };
    const passedOver = await PassedOverEvents.within(this.indexed, asked, [lowest, highest]);
    for (;;) {
      const { positions, isSpent, isEnd } = await this.candidates(common, isBeyond);
      for (const event of await this.read(positions)) {
        const full = this.takeAll([...passedOver.before(event.position), event]);
        if (full !== null) return full;
      }
      if (isEnd) return this.takeAll(passedOver.before(null));
      if (isSpent) {
        const stopped = direction === 'forwards' ? common.bound - 1 : common.bound + 1;
        return this.takeAll(passedOver.before(common.bound)) ?? stopped;
      }
    }
  }

  private tail(learned: number): Promise<Tail> {
    const { log, index } = this.indexed;
    return readTail({ log, index: index.model, after: learned }, this.selection);
  }

  private async candidates(
    common: CommonPostings,
    isBeyond: (position: number) => boolean,
  ): Promise<{ positions: readonly number[]; isSpent: boolean; isEnd: boolean }> {
    const positions: number[] = [];
    const wanted = Math.min(EVENTS_AT_ONCE, this.extent.limit - this.events.length);
    while (positions.length < wanted) {
      this.indexed.deadline.throwIfOver();
      const position = await common.next(() => this.looked.rows >= budgets.auditRows.max);
      if (position === undefined) return { positions, isSpent: true, isEnd: false };
      if (position === null || isBeyond(position)) return { positions, isSpent: false, isEnd: true };
      positions.push(position);
    }
    return { positions, isSpent: this.looked.rows >= budgets.auditRows.max, isEnd: false };
  }

  private lists(): readonly Postings[] {
    const { streams } = this.selection;
    const filters: Filter[] = groupsOf(this.selection).map((group) => ({
      facets: group.length === 1 ? group[0] : { $in: group },
    }));
    const exact = streams?.filter((stream) => !stream.endsWith('*'));
    if (exact !== undefined && exact.length === streams?.length)
      filters.push({ stream: exact.length === 1 ? exact[0] : { $in: exact } });
    const all = filters.length === 0 ? [{}] : filters;
    return all.map((filter) => new Postings(this.entries, filter, this.extent.direction, this.looked));
  }

  /** The events at positions, those that are selected, in the direction of the page. */
  private async read(positions: readonly number[]): Promise<readonly (RecordedEvent | UnreadableEvent)[]> {
    if (positions.length === 0) return [];
    const { since = -Infinity, until = Infinity } = this.selection;
    const entries = await this.entries.find({ _id: { $in: positions } });
    this.looked.rows += entries.length;
    const places = entries.filter(({ at }) => at >= since && at <= until);
    const stored = await storedEventsAt(this.indexed.log.store, places);
    const asIs = new Map(stored.map((event) => [event.position, event]));
    const events = (await decodeReadable(this.indexed.log, stored)).filter((event) =>
      isSelected(isReadable(event) ? event : asStored(asIs.get(event.position)!), this.selection),
    );
    return this.extent.direction === 'forwards' ? events : events.toReversed();
  }

  /** Puts events on the page. @returns the position of the one with which that is full; null: it is not */
  private takeAll(events: readonly (RecordedEvent | UnreadableEvent)[]): number | null {
    for (const event of events) if (this.take(event)) return event.position;
    return null;
  }

  /** Puts an event on the page. @returns whether that is full */
  private take(event: RecordedEvent | UnreadableEvent): boolean {
    this.events.push(event);
    this.characters += JSON.stringify(event).length;
    return this.events.length >= this.extent.limit || this.characters >= budgets.logPageCharacters.max;
  }

  /** Between which positions the selection lies, as far as the index goes. */
  private async bounds(learned: number): Promise<readonly [number, number]> {
    const { from = 0, through = learned, since, until } = this.selection;
    const lowest = since === undefined ? 0 : await this.firstSince(since - CLOCKS_AGREE_WITHIN, learned);
    const highest =
      until === undefined ? learned : await this.firstSince(until + CLOCKS_AGREE_WITHIN, learned);
    return [Math.max(from, lowest), Math.min(through, highest, learned)];
  }

  private async firstSince(time: number, learned: number): Promise<number> {
    const { position, rows } = await firstSince(this.entries, time, learned);
    this.looked.rows += rows;
    return position;
  }

  private page(position: number | null, isEnd: boolean): IndexedPage {
    return { events: this.events, position, isEnd, newest: this.newest, rows: this.looked.rows };
  }
}
