import { LRUCache } from 'lru-cache';
import type { DomainEvent, EventMetadata, RecordedEvent } from '../../kernel/event.js';
import type {
  AppendedEvents,
  AppendTarget,
  FoldedStream,
  LoadedStream,
  Streams,
} from '../../kernel/handle.js';
import type { TracedCommand } from '../../runtime/tracing/tracer.js';
import type { EventLog } from './event-log.js';
import { WrongExpectedRevisionError } from './port.js';
import type { KeptState, SnapshotMark, Snapshots } from './snapshots/snapshots.js';

interface Entry extends Omit<KeptState, 'last'> {
  /** The last event that the state reflects; null: there is no stream. */
  readonly last: KeptState['last'] | null;
  /** Null: no snapshots are kept of it. */
  readonly snapshot: SnapshotMark | null;
  readonly evolve: Evolve;
}

type Evolve = FoldedStream<unknown, never>['fold']['evolve'];

/** What came of a turn. */
interface Turn<Result> {
  readonly result: Result;
  readonly appended: AppendedEvents<DomainEvent> | undefined;
}

/** Options of {@link FoldedStreams}. */
export interface FoldedStreamsOptions {
  /** The most states that are kept; 5,000 when absent. */
  readonly most?: number;
  /** Called before anything is appended: it throws where that is to be refused. */
  readonly admit?: (events: readonly DomainEvent[], metadata: EventMetadata) => void;
  /** Awaited by whoever appended in a turn, once the turn is the next one's: resolves when readers find what was appended. */
  readonly settle?: (appended: AppendedEvents<DomainEvent>) => Promise<unknown>;
  /** Where states are kept beside the log; absent: every stream is read from its beginning once. */
  readonly snapshots?: Pick<Snapshots, 'begin' | 'offer'>;
}

/** Events that are read at once. */
const pageSize = 1000;

/** A retry comes soon: so many later commands of the stream may lie between. */
const commandsKept = 32;

/**
 * The folded state of streams, kept in process by stream and `evolve`, and always brought up to the tail before it is given
 * out. States are shared between callers and must not be changed.
 */
export class FoldedStreams implements Streams {
  private entries: LRUCache<string, Entry>;
  /** The last task of each stream that has any. */
  private readonly turns = new Map<string, Promise<unknown>>();
  /** What the present turn of a stream appended. */
  private readonly unsettled = new Map<string, AppendedEvents<DomainEvent>>();
  private readonly evolveNumbers = new WeakMap<object, number>();
  private evolveCount = 0;
  /** When streams were last forgotten, as {@link forgettings} counted: a load that was under way then keeps nothing. */
  private readonly forgotten = new LRUCache<string, number>({ max: 5000 });
  private forgettings = 0;

  constructor(
    private readonly log: Pick<EventLog, 'append' | 'readStream'> & Partial<Pick<EventLog, 'tracer'>>,
    private readonly options: FoldedStreamsOptions = {},
  ) {
    this.entries = this.noEntries();
  }

  async withLock<Result>(stream: string, task: () => Promise<Result>): Promise<Result> {
    const previous = this.turns.get(stream) ?? Promise.resolve();
    const run = async (): Promise<Turn<Result>> => {
      try {
        const result = await task();
        return { result, appended: this.unsettled.get(stream) };
      } finally {
        this.unsettled.delete(stream);
      }
    };
    const turn = previous.then(run, run);
    this.turns.set(stream, turn);
    try {
      const { result, appended } = await turn;
      if (appended !== undefined) await this.options.settle?.(appended);
      return result;
    } finally {
      if (this.turns.get(stream) === turn) this.turns.delete(stream);
    }
  }

  async load<State, Past>(folded: FoldedStream<State, Past>): Promise<LoadedStream<State>> {
    const { entries, forgettings } = this;
    const key = this.keyOf(folded);
    let entry = entries.get(key) ?? (await this.begin(folded));
    for (;;) {
      const from = revisionOf(entry) + 1;
      const events = await this.log.readStream(folded.stream, { from, limit: pageSize });
      entry = advance(entry, events);
      if (events.length < pageSize) break;
    }
    // Of two loads that ran at once, the one that saw more stays.
    const other = entries.peek(key);
    const isNewest = other === undefined || revisionOf(entry) >= revisionOf(other);
    if (isNewest && (this.forgotten.get(folded.stream) ?? 0) <= forgettings) entries.set(key, entry);
    this.keep(folded, entry);
    return { state: entry.state as State, revision: entry.last?.revision ?? null };
  }

  /** The state as this process last knew it, without a look into the log; null: it does not know the stream. */
  kept<State, Past>(folded: FoldedStream<State, Past>): LoadedStream<State> | null {
    const entry = this.entries.peek(this.keyOf(folded));
    return entry === undefined
      ? null
      : { state: entry.state as State, revision: entry.last?.revision ?? null };
  }

  /** A state that reflects an event at least: the log is read only where this process did not append it and has not read so far. */
  async loadThrough<State, Past>(
    folded: FoldedStream<State, Past>,
    revision: number,
  ): Promise<LoadedStream<State>> {
    // In turn: what is being appended here is about to be known.
    return this.withLock(folded.stream, async () => {
      const kept = this.kept(folded);
      return kept !== null && (kept.revision ?? -1) >= revision ? kept : this.load(folded);
    });
  }

  async appendedBy<Event extends DomainEvent>(
    commandId: string,
    folded: FoldedStream<unknown, never>,
  ): Promise<AppendedEvents<Event> | null> {
    const { stream } = folded;
    const mark = this.entries
      .peek(this.keyOf(folded))
      ?.commands.find((command) => command.commandId === commandId);
    if (mark === undefined) return null;
    const page = await this.log.readStream(stream, { from: mark.revision, limit: pageSize });
    const events = page.filter((event) => event.metadata.commandId === commandId) as RecordedEvent<Event>[];
    const { revision, position } = events.at(-1)!;
    // Whoever appended it may have waited for nobody: the readers of this caller count too.
    this.unsettled.set(stream, { revision, position, events });
    return { revision, position, events };
  }

  async append<Event extends DomainEvent>(
    { stream, revision }: AppendTarget,
    events: readonly Event[],
    metadata: EventMetadata,
  ): Promise<AppendedEvents<Event> | null> {
    const { entries, forgettings } = this;
    this.options.admit?.(events, metadata);
    try {
      const appended = await this.log.append({ stream, expected: revision ?? 'no-stream' }, events, metadata);
      this.unsettled.set(stream, appended);
      const isForgotten = entries !== this.entries || (this.forgotten.get(stream) ?? 0) > forgettings;
      if (!isForgotten) this.advanceKept(stream, appended.events);
      return appended;
    } catch (error) {
      if (error instanceof WrongExpectedRevisionError) return null;
      throw error;
    }
  }

  traced<Result>(command: TracedCommand, task: () => Promise<Result>): Promise<Result> {
    return this.log.tracer?.decision(command, task) ?? task();
  }

  /**
   * Forgets every state, those that are being loaded included: for whoever destroys keys, because states hold what people
   * wrote.
   */
  clear(): void {
    this.entries = this.noEntries();
  }

  /** As {@link clear}, of these streams alone. */
  forget(streams: readonly string[]): void {
    this.forgettings += 1;
    for (const stream of streams) {
      this.forgotten.set(stream, this.forgettings);
      for (let number = 0; number < this.evolveCount; number += 1) this.entries.delete(`${number} ${stream}`);
    }
  }

  private async begin({ stream, fold }: FoldedStream<unknown, never>): Promise<Entry> {
    const { initial: state, evolve } = fold;
    const none: Entry = { state, last: null, commands: [], snapshot: null, evolve };
    const { snapshots } = this.options;
    if (snapshots === undefined || fold.snapshot === undefined) return none;
    const { kept, mark } = await snapshots.begin({ stream, fold: fold.snapshot });
    return { ...none, ...kept, snapshot: mark };
  }

  private keep({ stream, fold }: FoldedStream<unknown, never>, entry: Entry): void {
    const { snapshot, last, state, commands } = entry;
    if (snapshot === null || last === null || fold.snapshot === undefined) return;
    this.options.snapshots?.offer({ stream, fold: fold.snapshot }, { state, commands, last }, snapshot);
  }

  /** What this process appended itself need not be read, decrypted and parsed to be known. */
  private advanceKept(stream: string, events: readonly RecordedEvent[]): void {
    const [first] = events;
    for (let number = 0; number < this.evolveCount; number += 1) {
      const key = `${number} ${stream}`;
      const entry = this.entries.peek(key);
      if (entry === undefined || revisionOf(entry) + 1 !== first?.revision) continue;
      try {
        this.entries.set(key, advance(entry, events.map(asReadBack)));
      } catch {
        // The events are in the log: whoever loads the stream next is told what is wrong with them.
        this.entries.delete(key);
      }
    }
  }

  private noEntries(): LRUCache<string, Entry> {
    return new LRUCache({ max: this.options.most ?? 5000 });
  }

  private keyOf({ stream, fold }: FoldedStream<unknown, never>): string {
    let number = this.evolveNumbers.get(fold.evolve);
    if (number === undefined) this.evolveNumbers.set(fold.evolve, (number = this.evolveCount++));
    return `${number} ${stream}`;
  }
}

function advance(entry: Entry, events: readonly RecordedEvent[]): Entry {
  if (events.length === 0) return entry;
  let { state } = entry;
  const commands = [...entry.commands];
  for (const event of events) {
    // The catalog types what the log holds; which of it this stream holds, only the fold knows.
    state = entry.evolve(state, event as never);
    const { commandId } = event.metadata;
    if (commands.at(-1)?.commandId !== commandId) commands.push({ commandId, revision: event.revision });
  }
  const { id, revision, position } = events.at(-1)!;
  return { ...entry, state, last: { id, revision, position }, commands: commands.slice(-commandsKept) };
}

/** An event as the log gives it: members that are undefined are not there. */
function asReadBack(event: RecordedEvent): RecordedEvent {
  return { ...event, data: JSON.parse(JSON.stringify(event.data)) as unknown };
}

function revisionOf({ last }: Entry): number {
  return last?.revision ?? -1;
}
