import { LRUCache } from 'lru-cache';
import type { FoldedStream } from '../../kernel/decision.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { isRepeatable } from './event-id.js';
import type { SnapshotState, SnapshotMark } from './snapshots/snapshots.js';
import { evolveAny } from '../../kernel/fold.js';

/** A state, and the last event in it. */
export interface StateEntry extends Omit<SnapshotState, 'last'> {
  /** The last event in the state; null: the stream does not exist. */
  readonly last: SnapshotState['last'] | null;
  /** Null: no snapshots of it are stored. */
  readonly snapshot: SnapshotMark | null;
  readonly evolve: FoldedStream<unknown, never>['fold']['evolve'];
}

/**
 * Number of latest commands of a stream that are all known, one after the other: a retry comes soon. See {@link EarlierCommands} for
 * later ones.
 */
export const CONSECUTIVE_COMMANDS = 32;

/** Number of commands before those that are known as well, of those that may be repeated later. */
const REPEATABLE_COMMANDS = 256;

/** Maximum number of streams for which it is remembered that they were dropped during a load. */
const MAX_FORGOTTEN = 5000;

/** A cache of states by stream and `evolve`, least recently used first out. */
export class StateCache {
  private readonly entries: LRUCache<string, StateEntry>;
  private readonly evolveNumbers = new WeakMap<object, number>();
  private evolveCount = 0;
  /** When streams were last dropped, on the counter of {@link now}. */
  private readonly forgotten = new LRUCache<string, number>({ max: MAX_FORGOTTEN });
  private cleared = 0;
  private forgettings = 0;

  /** @param most number of cached states */
  constructor(max: number) {
    this.entries = new LRUCache({ max });
  }

  /** To be read before the log is read or appended to: states dropped after that are not cached again by the operation. */
  now(): number {
    return this.forgettings;
  }

  /** The same for all folds of a stream with the same `evolve`. */
  keyOf({ stream, fold }: FoldedStream<unknown, never>): string {
    let number = this.evolveNumbers.get(fold.evolve);
    if (number === undefined) this.evolveNumbers.set(fold.evolve, (number = this.evolveCount++));
    return `${number} ${stream}`;
  }

  /** The cached state; counts as a use. */
  use(folded: FoldedStream<unknown, never>): StateEntry | undefined {
    return this.entries.get(this.keyOf(folded));
  }

  /** The cached state; does not count as a use. */
  peek(folded: FoldedStream<unknown, never>): StateEntry | undefined {
    return this.entries.peek(this.keyOf(folded));
  }

  /** Caches a loaded state. Of concurrent loads, the one with the most events wins. */
  keep(folded: FoldedStream<unknown, never>, entry: StateEntry, since: number): void {
    const other = this.peek(folded);
    const isNewest = other === undefined || revisionOf(entry) >= revisionOf(other);
    if (isNewest && !this.isForgotten(folded.stream, since)) this.entries.set(this.keyOf(folded), entry);
  }

  /** Applies events that this process appended to the cached states of the stream, so that they need not be read, decrypted and parsed. */
  advance(stream: string, events: readonly RecordedEvent[], since: number): void {
    const [first] = events;
    if (first === undefined || this.isForgotten(stream, since)) return;
    for (const key of this.keysOf(stream)) {
      const entry = this.entries.peek(key);
      if (entry === undefined || revisionOf(entry) + 1 !== first.revision) continue;
      try {
        this.entries.set(key, advanced(entry, events.map(asReadBack)));
      } catch {
        // The events are in the log: the next load of the stream reports the error.
        this.entries.delete(key);
      }
    }
  }

  /** Drops all states. */
  clear(): void {
    this.cleared = this.forgettings += 1;
    this.entries.clear();
  }

  /** Drops the states of these streams. */
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

/** The state after further events. */
export function advanced(entry: StateEntry, events: readonly RecordedEvent[]): StateEntry {
  if (events.length === 0) return entry;
  let { state } = entry;
  const commands = [...entry.commands];
  for (const event of events) {
    state = evolveAny(entry, state, event);
    const { commandId } = event.metadata;
    if (commands.at(-1)?.commandId !== commandId) commands.push({ commandId, revision: event.revision });
  }
  const { id, revision, position } = events.at(-1)!;
  return { ...entry, state, last: { id, revision, position }, commands: lastOf(commands) };
}

function lastOf(commands: StateEntry['commands']): StateEntry['commands'] {
  if (commands.length <= CONSECUTIVE_COMMANDS) return commands;
  const earlier = commands.slice(0, -CONSECUTIVE_COMMANDS).filter(({ commandId }) => isRepeatable(commandId));
  return [...earlier.slice(-REPEATABLE_COMMANDS), ...commands.slice(-CONSECUTIVE_COMMANDS)];
}

/** Removes undefined members, as storing and reading the event does. */
export function asReadBack<Event extends RecordedEvent>(event: Event): Event {
  return { ...event, data: JSON.parse(JSON.stringify(event.data)) as unknown };
}

/** Revision of the last event in a state; -1: the stream does not exist. */
export function revisionOf({ last }: StateEntry): number {
  return last?.revision ?? -1;
}
