import type { PersistedEvent } from '../../stores/event-store/port.js';
import type { Finding } from './report.js';

/** Identifies an event of the log to people. */
export function placeOf({ stream, revision }: Pick<PersistedEvent, 'stream' | 'revision'>): string {
  return `${stream}@${revision}`;
}

/** Checks that the revisions of each stream are consecutive, and that the positions of the log ascend. */
export class StreamOrder {
  private readonly next = new Map<string, number>();
  private position: number | null = null;

  /** @param dense whether positions have no gaps */
  constructor(private readonly dense: boolean) {}

  /** What is wrong with the place of the next event. */
  take(event: PersistedEvent): readonly Finding[] {
    return [...this.positionFault(event), ...this.revisionFault(event)];
  }

  /** Skips an event that cannot be read. */
  pass(position: number | null): void {
    if (position !== null) this.position = position;
  }

  private positionFault(event: PersistedEvent): readonly Finding[] {
    const before = this.position;
    this.position = event.position;
    const expected = (before ?? 0) + 1;
    if (before !== null && event.position <= before) {
      return [fault('order', event, `its position does not come after ${before}`)];
    }
    if (!this.dense || event.position === expected) return [];
    const count = event.position - expected;
    const what =
      count === 1 ? `the event at position ${expected}` : `${count} events from position ${expected} on`;
    return [fault('missing', event, `before it, ${what} ${count === 1 ? 'is' : 'are'} missing`)];
  }

  private revisionFault(event: PersistedEvent): readonly Finding[] {
    const { stream, revision } = event;
    const expected = this.next.get(stream) ?? 0;
    this.next.set(stream, Math.max(expected, revision + 1));
    if (revision === expected) return [];
    if (revision < expected) {
      return [
        fault(
          'duplicate',
          event,
          `its stream had revision ${expected - 1} already: it was inserted or moved`,
        ),
      ];
    }
    return [
      fault(
        'missing',
        event,
        `its stream should go on with revision ${expected}: something was removed or moved`,
      ),
    ];
  }
}

/** What is wrong with an event. */
export function fault(
  kind: Finding['kind'],
  event: Pick<PersistedEvent, 'position' | 'stream' | 'revision'>,
  message: string,
): Finding {
  return { kind, position: event.position, place: placeOf(event), message };
}
