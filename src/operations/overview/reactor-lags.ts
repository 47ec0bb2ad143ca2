import type { ReactorStatus } from '../../../projections/engine/reactor-status.js';
import type { EventStore, PersistedEvent } from '../../stores/event-store/port.js';

/** What is known of the events that a reactor has not handled. */
interface Reading {
  /** Up to this position the log was searched for them. */
  readonly upTo: number;
  /** The first of them; null: there is none up to there. */
  readonly first: Pick<PersistedEvent, 'position' | 'metadata'> | null;
}

/** Reactors to search for from one position on. */
interface Search {
  readonly after: number;
  readonly reactors: readonly ReactorStatus[];
}

/**
 * Tells how far reactors are behind the log. It remembers what it found, so that repeated calls read little: what was appended since the last
 * one, and the next event of each reactor that is behind and has handled the event found before.
 */
export class ReactorLags {
  /** Null: this process does not know. */
  private readings: ReadonlyMap<string, Reading | null> = new Map();

  constructor(private readonly store: Pick<EventStore, 'head' | 'readAll'>) {}

  /** Reads where the reactors are. If the log cannot be read, their lags are unknown. */
  async read(reactors: readonly ReactorStatus[]): Promise<void> {
    const former = this.readings;
    this.readings = new Map(reactors.map(({ reactor }) => [reactor, null]));
    const head = (await this.store.head()) ?? -1;
    const readings = new Map(
      reactors.map((one) => [one.reactor, present(one, former.get(one.reactor), head)]),
    );
    const behind = reactors.filter(({ reactor }) => isToSearch(readings.get(reactor), head));
    // Most reactors were searched for up to the same position, so one search serves them all.
    const starts = new Set(behind.map(({ reactor }) => readings.get(reactor)!.upTo));
    await Promise.all(
      [...starts].map(async (after) => {
        const together = behind.filter(({ reactor }) => readings.get(reactor)!.upTo === after);
        const firsts = await this.firsts({ after, reactors: together });
        for (const { reactor } of together) {
          const first = firsts.get(reactor) ?? null;
          readings.set(reactor, { upTo: first?.position ?? head, first });
        }
      }),
    );
    this.readings = readings;
  }

  /**
   * For each reactor of the last reading, how long the first event that it has not handled has been in the log, in seconds; null: this process
   * does not know.
   *
   * @param now in milliseconds since the UNIX epoch
   */
  seconds(now: number): readonly (readonly [reactor: string, seconds: number | null])[] {
    return [...this.readings].map(([reactor, reading]) => [reactor, secondsOf(reading, now)]);
  }

  /** The first event of each reactor after a position. */
  private async firsts({ after, reactors }: Search): Promise<ReadonlyMap<string, PersistedEvent>> {
    const found = new Map<string, PersistedEvent>();
    const types = [...new Set(reactors.flatMap((one) => one.types))];
    // The first event found ends the search for a single reactor.
    const pageSize = reactors.length === 1 ? { pageSize: 1 } : {};
    for await (const { events } of this.store.readAll({ after, types, ...pageSize })) {
      for (const event of events)
        for (const { reactor, types: wanted } of reactors)
          if (!found.has(reactor) && wanted.includes(event.type)) found.set(reactor, event);
      if (found.size === reactors.length) break;
    }
    return found;
  }
}

/** What is known of a reactor without a search; null: nothing. */
function present(
  { state, position }: ReactorStatus,
  former: Reading | null | undefined,
  head: number,
): Reading | null {
  if (state === 'standby') return null;
  // Before a reactor has told its position, nothing can be unhandled only if the log is empty.
  if (position === null) return head === -1 ? { upTo: head, first: null } : null;
  if (former?.first && former.first.position > position) return former;
  return { upTo: Math.max(position, former?.upTo ?? position), first: null };
}

function isToSearch(reading: Reading | null | undefined, head: number): boolean {
  return reading?.first === null && reading.upTo < head;
}

function secondsOf(reading: Reading | null, now: number): number | null {
  if (reading === null) return null;
  if (reading.first === null) return 0;
  const { at } = reading.first.metadata;
  return typeof at === 'number' ? Math.max(0, now - at) / 1000 : null;
}
