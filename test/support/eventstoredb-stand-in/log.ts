import { EventEmitter } from 'node:events';
import { LogFile } from '../../../src/stores/event-store/embedded/log-file.js';
import type { AppendResult, ExpectedRevision, PersistedEvent } from '../../../src/stores/event-store/port.js';
import type { SerializedEvent } from '../../../src/stores/event-store/validate-append.js';
import { StandInAppender } from './stand-in-appender.js';

/** Offset of the first application event, after the server's own ones. */
const BASE = 4_096;
const STRIDE = 251;
const JITTER = 89;
/** After every so many application events there is a system event. */
const SYSTEM_EVERY = 10;

/** Byte offset of the `number`th event of the log, counted from 1: increasing, with gaps, and the same after a restart. */
export function offsetOf(number: number): number {
  return BASE + number * STRIDE + ((number * number) % JITTER);
}

function systemOffsetAfter(number: number): number {
  return offsetOf(number) + 120;
}

const FIRST_RECORDS = [
  systemEvent('$$$scavenges', '$metadata', 1_118),
  systemEvent('$users', '$UserCreated', 1_902),
];

function systemEvent(stream: string, type: string, position: number): PersistedEvent {
  const id = `00000000-0000-4000-8000-${position.toString(16).padStart(12, '0')}`;
  return { id, stream, type, data: {}, metadata: {}, revision: 0, position };
}

/** A part of the log in one direction: records after (or before) an offset. */
export interface Range {
  readonly from: number;
  readonly limit: number;
}

/**
 * The stand-in's log: the embedded store's file, read as EventStoreDB would show it. Positions are byte offsets, and there are system
 * events at the beginning and in between.
 */
export class StandInLog {
  readonly #file: LogFile;
  readonly #appender: StandInAppender;
  readonly #changes = new EventEmitter().setMaxListeners(0);

  /** @param remembersIds whether it recognises a repeated append */
  constructor(path: string, remembersIds: boolean) {
    this.#file = LogFile.open(path);
    const onCommit = (): void => void this.#changes.emit('commit');
    this.#appender = new StandInAppender(path, { onCommit, remembersIds });
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly SerializedEvent[],
  ): Promise<AppendResult> {
    const { revision, position } = this.#appender.append(stream, expected, events);
    return { revision, position: offsetOf(position) };
  }

  /** Undefined: the stream does not exist. */
  readStream(
    stream: string,
    {
      from,
      backwards,
      limit,
    }: { readonly from?: number | undefined; readonly backwards: boolean; readonly limit: number },
  ): readonly PersistedEvent[] | undefined {
    if (this.#file.readForwards(stream, 0, 1).length === 0) return undefined;
    const events = backwards
      ? this.#file.readBackwards(stream, from ?? Number.MAX_SAFE_INTEGER, limit)
      : this.#file.readForwards(stream, from ?? 0, limit);
    return events.map((event) => ({ ...event, position: offsetOf(event.position) }));
  }

  /** Records after an offset, oldest first. */
  recordsAfter({ from, limit }: Range): readonly PersistedEvent[] {
    const after = Math.max(0, Math.floor((from - BASE) / STRIDE) - 1);
    const records = this.#records(after, this.#file.head(), limit + 2);
    const first = after === 0 ? FIRST_RECORDS : [];
    return [...first, ...records].filter(({ position }) => position > from).slice(0, limit);
  }

  /** Records before an offset, newest first. */
  recordsBefore({ from, limit }: Range): readonly PersistedEvent[] {
    const through = Math.min(this.#file.head(), Math.ceil((from - BASE) / STRIDE));
    const after = Math.max(0, through - limit - 2);
    const records = through > 0 ? this.#records(after, through, limit + 2) : [];
    const first = after === 0 ? FIRST_RECORDS : [];
    return [...first, ...records]
      .filter(({ position }) => position < from)
      .reverse()
      .slice(0, limit);
  }

  /** Whether a record begins at an offset, or the log ends before it. */
  isReadable(offset: number): boolean {
    if (offset === 0 || offset > (this.recordsBefore({ from: Infinity, limit: 1 })[0]?.position ?? 0))
      return true;
    return this.recordsAfter({ from: offset - 1, limit: 1 })[0]?.position === offset;
  }

  /** The number of application events after an offset. */
  countAfter(offset: number): number {
    return this.#file.head() - Math.max(0, Math.floor((offset - BASE) / STRIDE));
  }

  onCommit(listener: () => void): void {
    this.#changes.on('commit', listener);
  }

  offCommit(listener: () => void): void {
    this.#changes.off('commit', listener);
  }

  async close(): Promise<void> {
    this.#appender.close();
    this.#file.close();
  }

  #records(after: number, through: number, limit: number): PersistedEvent[] {
    return this.#file.readRange({ after, through, limit }).flatMap((event) => {
      const record = { ...event, position: offsetOf(event.position) };
      if (event.position % SYSTEM_EVERY !== 0) return [record];
      return [
        record,
        systemEvent('$stats-127.0.0.1:2113', '$statsCollected', systemOffsetAfter(event.position)),
      ];
    });
  }
}
