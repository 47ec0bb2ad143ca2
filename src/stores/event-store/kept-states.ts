import { LRUCache } from 'lru-cache';
import type { FoldedStream } from '../../kernel/decision.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { KeptState, SnapshotMark } from './snapshots/snapshots.js';

/** A state, and how far it reflects its stream. */
export interface StateEntry extends Omit<KeptState, 'last'> {
  /** The last event that the state reflects; null: there is no stream. */
  readonly last: KeptState['last'] | null;
  /** Null: no snapshots are kept of it. */
  readonly snapshot: SnapshotMark | null;
  readonly evolve: FoldedStream<unknown, never>['fold']['evolve'];
}

/** A retry comes soon: so many later commands of the stream may lie between. */
const COMMANDS_KEPT = 32;

/** The most streams whose forgetting is remembered for loads that are under way. */
const MAX_FORGOTTEN = 5000;

/** States of streams in memory, by stream and `evolve`: those that were used last. */
export class KeptStates {
  private readonly entries: LRUCache<string, StateEntry>;
  private readonly evolveNumbers = new WeakMap<object, number>();
  private evolveCount = 0;
  /** When streams were last forgotten, as {@link now} counts. */
  private readonly forgotten = new LRUCache<string, number>({ max: MAX_FORGOTTEN });
  private cleared = 0;
  private forgettings = 0;

  /** @param most states that are kept */
  constructor(most: number) {
    this.entries = new LRUCache({ max: most });
  }

  /** To be taken before the log is read or appended to: what is forgotten from then on is not kept again by that. */
  now(): number {
    return this.forgettings;
  }

  /** The same for every fold of a stream with the same `evolve`. */
  keyOf({ stream, fold }: FoldedStream<unknown, never>): string {
    let number = this.evolveNumbers.get(fold.evolve);
    if (number === undefined) this.evolveNumbers.set(fold.evolve, (number = this.evolveCount++));
    return `${number} ${stream}`;
  }

  /** The state that is kept, which counts as used. */
  use(folded: FoldedStream<unknown, never>): StateEntry | undefined {
    return this.entries.get(this.keyOf(folded));
  }

  /** The state that is kept. */
  peek(folded: FoldedStream<unknown, never>): StateEntry | undefined {
    return this.entries.peek(this.keyOf(folded));
  }

  /** Keeps a state that was loaded; of two loads that ran at once, the one that saw more stays. */
  keep(folded: FoldedStream<unknown, never>, entry: StateEntry, since: number): void {
    const other = this.peek(folded);
    const isNewest = other === undefined || revisionOf(entry) >= revisionOf(other);
    if (isNewest && !this.isForgotten(folded.stream, since)) this.entries.set(this.keyOf(folded), entry);
  }

  /** Brings the states of a stream up to events that this process appended: they need not be read, decrypted and parsed. */
  advance(stream: string, events: readonly RecordedEvent[], since: number): void {
    const [first] = events;
    if (first === undefined || this.isForgotten(stream, since)) return;
    for (const key of this.keysOf(stream)) {
      const entry = this.entries.peek(key);
      if (entry === undefined || revisionOf(entry) + 1 !== first.revision) continue;
      try {
        this.entries.set(key, advanced(entry, events.map(asReadBack)));
      } catch {
        // The events are in the log: whoever loads the stream next is told what is wrong with them.
        this.entries.delete(key);
      }
    }
  }

  /** Forgets every state. */
  clear(): void {
    this.cleared = this.forgettings += 1;
    this.entries.clear();
  }

  /** Forgets every state of these streams. */
  forget(streams: readonly string[]): void {
    this.forgettings += 1;
    for (const stream of streams) {
      this.forgotten.set(stream, this.forgettings);
      for (const key of this.keysOf(stream)) this.entries.delete(key);
    }
  }

  private isForgotten(stream: string, since: number): boolean {
    return Math.max(this.cleared, this.forgotten.get(stream) ?? 0) > since;
  }

  private keysOf(stream: string): readonly string[] {
    return Array.from({ length: this.evolveCount }, (_, number) => `${number} ${stream}`);
  }
}

/** The state after these events, which follow those that it reflects. */
export function advanced(entry: StateEntry, events: readonly RecordedEvent[]): StateEntry {
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
  return { ...entry, state, last: { id, revision, position }, commands: commands.slice(-COMMANDS_KEPT) };
}

/** An event as the log gives it: members that are undefined are not there. */
export function asReadBack<Event extends RecordedEvent>(event: Event): Event {
  return { ...event, data: JSON.parse(JSON.stringify(event.data)) as unknown };
}

/** Revision of the last event that a state reflects; -1: there is no stream. */
export function revisionOf({ last }: StateEntry): number {
  return last?.revision ?? -1;
}
