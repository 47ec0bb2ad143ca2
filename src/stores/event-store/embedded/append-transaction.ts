import type { AdvanceRecord } from '../head-record.js';
import {
  firstRevision,
  RepeatedAppendError,
  WrongExpectedRevisionError,
  type AppendResult,
  type ExpectedRevision,
} from '../port.js';
import type { SerializedEvent } from '../validate-append.js';
import type { Place } from './log-file.js';
import type { LogWriter } from './log-writer.js';
import type { CommittedEvent } from './recent-events.js';

/** A validated append. */
export interface CheckedAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerializedEvent[];
}

/** The log as one open transaction sees it, its own additions included. It accepts or refuses each append separately. */
export class AppendTransaction {
  readonly #tails = new Map<string, number>();
  readonly #headBefore: number;
  readonly #written: CommittedEvent[] = [];
  #head: number;

  constructor(
    private readonly writer: LogWriter,
    /** The stream of the first append. */
    stream: string,
  ) {
    const { head, tail } = writer.ends(stream);
    this.#headBefore = head;
    this.#head = head;
    this.#tails.set(stream, tail);
  }

  /** The events that the transaction has added, in order. */
  get written(): readonly CommittedEvent[] {
    return this.#written;
  }

  /** Appends; or finds that the same append was made before; or refuses. */
  append(append: CheckedAppend): AppendResult | WrongExpectedRevisionError {
    const { stream, expected, events } = append;
    const tail = this.#tailOf(stream);
    const known = events.map(({ id }) => this.writer.placeOf(id));
    const isNew = known.every((place) => place === undefined);
    if (isNew && (expected === 'any' || firstRevision(expected) === tail + 1))
      return this.#insert(stream, tail + 1, events);
    const earlier = isNew ? null : earlierResult(append, known);
    return (
      earlier ??
      refusalOf(new WrongExpectedRevisionError(stream, expected, tail < 0 ? null : tail), append, known)
    );
  }

  /** Updates the record of the log's end. To be called before the commit. */
  noteHead(advance: AdvanceRecord): void {
    if (this.#written.length === 0) return;
    const record = advance(this.writer.headRecord(), this.#written, { isFirst: this.#headBefore === 0 });
    if (record !== null) this.writer.putHeadRecord(record);
  }

  #insert(stream: string, first: number, events: readonly SerializedEvent[]): AppendResult {
    let revision = first - 1;
    for (const event of events) {
      revision += 1;
      this.#head += 1;
      const place = { stream, revision, position: this.#head };
      this.writer.insert(event, place);
      this.#written.push({ ...event, ...place });
    }
    this.#tails.set(stream, revision);
    return { revision, position: this.#head };
  }

  #tailOf(stream: string): number {
    const tail = this.#tails.get(stream) ?? this.writer.ends(stream).tail;
    this.#tails.set(stream, tail);
    return tail;
  }
}

/** Says where the first known event of the append is, if that is earlier in the same stream. */
function refusalOf(
  refusal: WrongExpectedRevisionError,
  { stream, expected, events }: CheckedAppend,
  known: readonly (Place | undefined)[],
): WrongExpectedRevisionError {
  const index = known.findIndex((place) => place !== undefined);
  const place = known[index];
  if (expected === 'any' || place?.stream !== stream) return refusal;
  if (place.revision >= firstRevision(expected)) return refusal;
  return new RepeatedAppendError(refusal, { id: events[index]!.id, revision: place.revision });
}

/** The result of the same append when it was made before; null: there was none, or with other events. */
function earlierResult(
  { stream, expected }: CheckedAppend,
  known: readonly (Place | undefined)[],
): AppendResult | null {
  const first = expected === 'any' ? known[0]?.revision : firstRevision(expected);
  if (first === undefined) return null;
  const isSame = known.every((place, index) => place?.stream === stream && place.revision === first + index);
  const { revision, position } = known.at(-1) ?? {};
  return isSame && revision !== undefined && position !== undefined ? { revision, position } : null;
}
