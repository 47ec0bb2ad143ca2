import { WrongExpectedRevisionError } from '../port.js';
import type { AppendResult, ExpectedRevision } from '../port.js';
import type { SerializedEvent } from '../validate-append.js';
import type { LogFile } from './log-file.js';
import type { LogWriter } from './log-writer.js';
import { RecentIds } from './recent-ids.js';
import type { CommittedEvent } from './recent-events.js';

/** An append that passed the checks. */
export interface CheckedAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerializedEvent[];
}

/** The two ends of the log: what is committed, and the connection with the open transaction. */
export interface OpenLog {
  readonly file: LogFile;
  readonly writer: LogWriter;
}

/** The ids of a stream that is appended to under "any": those in the file, and those that this transaction added. */
interface StreamIds {
  readonly committed: RecentIds;
  readonly added: Map<string, number>;
}

/**
 * One open transaction's view of the log: what is in the file and what the transaction has added. Decides each append
 * on its own. Nothing outlives the transaction but what {@link committed} hands over.
 */
export class AppendTransaction {
  readonly #tails = new Map<string, number>();
  readonly #ids = new Map<string, StreamIds>();
  readonly #headBefore: number;
  readonly #written: CommittedEvent[] = [];
  #head: number;

  constructor(
    private readonly log: OpenLog,
    private readonly recentIds: Map<string, RecentIds>,
    /** The stream of the first append. */
    stream: string,
  ) {
    const { head, tail } = log.writer.ends(stream);
    this.#headBefore = head;
    this.#head = head;
    this.#tails.set(stream, tail);
  }

  /** What the transaction has added, in order. */
  get written(): readonly CommittedEvent[] {
    return this.#written;
  }

  /** Appends, or finds that the same append was made before, or refuses. */
  append(append: CheckedAppend): AppendResult | WrongExpectedRevisionError {
    const { stream, expected, events } = append;
    const tail = this.#tailOf(stream);
    const first = this.#firstRevision(append);
    if (first === tail + 1) return this.#insert(stream, first, events);
    const earlier = first === undefined ? undefined : this.#resultIfWritten(stream, first, events);
    return earlier ?? new WrongExpectedRevisionError(stream, expected, tail < 0 ? null : tail);
  }

  /** To be called once the transaction is committed. */
  committed(): void {
    for (const { committed, added } of this.#ids.values()) {
      for (const [id, revision] of added) committed.add(id, revision);
    }
  }

  /** Where the first event has to stand, or does already; undefined when only some of the events were written before. */
  #firstRevision({ stream, expected, events }: CheckedAppend): number | undefined {
    switch (expected) {
      case 'no-stream':
        return 0;
      case 'any': {
        const { committed, added } = this.#idsOf(stream);
        const known = events.map(({ id }) => added.get(id) ?? committed.revisionOf(id));
        return known.every((revision) => revision === undefined) ? this.#tailOf(stream) + 1 : known[0];
      }
      default:
        return expected + 1;
    }
  }

  #resultIfWritten(
    stream: string,
    first: number,
    events: readonly SerializedEvent[],
  ): AppendResult | undefined {
    let result: AppendResult | undefined;
    for (const [index, event] of events.entries()) {
      const revision = first + index;
      const found = this.log.writer.at(stream, revision);
      if (found?.id !== event.id) return undefined;
      result = { revision, position: found.position };
    }
    return result;
  }

  #insert(stream: string, first: number, events: readonly SerializedEvent[]): AppendResult {
    const added = this.#ids.get(stream)?.added;
    let revision = first - 1;
    for (const event of events) {
      revision += 1;
      this.#head += 1;
      const place = { stream, revision, position: this.#head };
      this.log.writer.insert(event, place);
      this.#written.push({ ...event, ...place });
      added?.set(event.id, revision);
    }
    this.#tails.set(stream, revision);
    return { revision, position: this.#head };
  }

  #tailOf(stream: string): number {
    const tail = this.#tails.get(stream) ?? this.log.writer.ends(stream).tail;
    this.#tails.set(stream, tail);
    return tail;
  }

  #idsOf(stream: string): StreamIds {
    const known = this.#ids.get(stream);
    if (known) return known;
    const committed = this.recentIds.get(stream) ?? new RecentIds(stream);
    committed.catchUp(this.log.file, { tail: this.#tailOf(stream), head: this.#headBefore });
    this.recentIds.set(stream, committed);
    const ids = { committed, added: new Map<string, number>() };
    this.#ids.set(stream, ids);
    return ids;
  }
}
