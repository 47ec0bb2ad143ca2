import { verifyEventHash } from '../../../src/stores/event-store/event-hash.js';
import type { PersistedEvent } from '../../../src/stores/event-store/port.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import type { Stores } from '../../../src/stores/stores.js';

/** The whole log, as it is stored and as the application reads it. */
export interface WholeLog {
  readonly stored: readonly PersistedEvent[];
  readonly events: readonly RecordedEvent[];
}

export async function readWholeLog({
  eventStore,
  log,
}: Pick<Stores, 'eventStore' | 'log'>): Promise<WholeLog> {
  const stored: PersistedEvent[] = [];
  const events: RecordedEvent[] = [];
  for await (const page of eventStore.readAll({ after: null })) {
    stored.push(...page.events);
    events.push(...(await log.decode(page.events)));
  }
  return { stored, events };
}

/** Says where revisions have a gap or a double, an event stands twice, positions do not rise, or a hash does not fit. */
export function logFaults({ stored }: WholeLog): string[] {
  const next = new Map<string, number>();
  const ids = new Set<string>();
  let head = -1;
  return stored.flatMap((event) => {
    const { id, stream, revision, position } = event;
    const expected = next.get(stream) ?? 0;
    const faults = [
      ...(revision === expected ? [] : [`${stream} has revision ${revision} where ${expected} belongs`]),
      ...(ids.has(id) ? [`${id} stands twice`] : []),
      ...(position > head ? [] : [`position ${position} comes behind ${head}`]),
      ...(verifyEventHash(event) ? [] : [`the hash of ${id} does not fit`]),
    ];
    next.set(stream, revision + 1);
    ids.add(id);
    head = position;
    return faults;
  });
}

/** The texts that messages were sent with, by the messages' ids. */
export function sentTexts({ events }: WholeLog): ReadonlyMap<number, string> {
  const sent = events.filter(({ stream }) => stream === 'messages');
  return new Map(sent.map(({ revision, data }) => [revision + 1, (data as { content: string }).content]));
}
