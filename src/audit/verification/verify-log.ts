import type { LogDamage, LogInspection } from '../../stores/event-store/inspection.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { eventFaults, type EventChecking } from './event-faults.js';
import { EventIds } from './event-ids.js';
import type { RecordedEnd } from './recorded-end.js';
import { MAX_FINDINGS, type Finding, type VerificationReport, type KnownTreeHead } from './report.js';
import { SealChain } from './seal-chain.js';
import { placeOf, StreamOrder } from './stream-order.js';

/** What a verification needs. */
export interface VerificationOptions extends EventChecking {
  /** What the log is compared with, beside its own seals. */
  readonly knownTreeHeads?: readonly KnownTreeHead[];
  /** The last position that any read model has processed, which the log must have reached. Absent or null: unknown. */
  readonly passed?: number | null;
  /** What the record beside the log says about its end; absent: it is not checked. */
  readonly recordedEnd?: RecordedEnd;
  /** Called with the position reached and the number of events read. */
  readonly onProgress?: (position: number, events: number) => void;
}

/**
 * Verifies a whole log: each event's hash, metadata and schema, that it can be read, the revisions of each stream, the
 * order of all events, that no id occurs twice, every seal, and that the log ends as its writer recorded. It keeps in
 * memory the last revision of each stream, 16 bytes for each id, and what no seal covers yet.
 */
export async function verifyLog(
  inspection: LogInspection,
  { knownTreeHeads = [], passed = null, recordedEnd, ...options }: VerificationOptions,
): Promise<VerificationReport> {
  const findings: Finding[] = [];
  const seals = new SealChain([...knownTreeHeads, ...(recordedEnd?.treeHead ? [recordedEnd.treeHead] : [])]);
  const note = (found: readonly Finding[]): void => {
    findings.push(...found.slice(0, Math.max(0, MAX_FINDINGS - findings.length)));
  };
  const head = await checkEvents(inspection, { seals, note }, options);
  note(seals.end());
  note(recordedEnd?.findings ?? []);
  const position = head?.position ?? null;
  note(endFaults(await inspection.end(position), passed));
  const { size, sealed, sealSigners } = seals;
  return {
    events: size,
    head: position,
    root: seals.root(),
    seals: seals.seals,
    sealed,
    sealSigners,
    taggedFrom: options.tags?.ranges[0]?.from ?? null,
    last: head && placeOf(head),
    findings,
  };
}

/** The chain of seals that takes the events, and what is called with their faults. */
interface Noting {
  readonly seals: SealChain;
  readonly note: (found: readonly Finding[]) => void;
}

/** Checks each event by itself and against those before it. Returns the last one; null: the log has none. */
async function checkEvents(
  inspection: LogInspection,
  { seals, note }: Noting,
  { onProgress, ...checking }: VerificationOptions,
): Promise<PersistedEvent | null> {
  const order = new StreamOrder(inspection.dense);
  const ids = new EventIds();
  let last: PersistedEvent | null = null;
  for await (const { events, damage, position } of inspection.pages()) {
    note(await eventFaults(events, checking));
    for (const found of inPlace(events, damage)) {
      if (isDamage(found)) {
        order.pass(found.position);
        note([{ kind: 'damaged', position: found.position, place: null, message: found.reason }]);
      } else {
        note([...order.take(found), ...ids.take(found), ...seals.take(found)]);
      }
    }
    last = events.at(-1) ?? last;
    onProgress?.(position, seals.size);
  }
  return last;
}

/** Events removed from the end leave no gap, but read models that had processed them show that they existed. */
function endFaults(head: number | null, passed: number | null): readonly Finding[] {
  if (passed === null || passed <= (head ?? -1)) return [];
  const end = head === null ? 'is empty' : `ends at position ${head}`;
  const message = `the log ${end}, but a read model has followed it up to position ${passed}: its last events are gone`;
  return [{ kind: 'missing', position: null, place: null, message }];
}

function isDamage(found: PersistedEvent | LogDamage): found is LogDamage {
  return 'reason' in found;
}

/** Inserts damaged events among the others at their positions. */
function inPlace(
  events: readonly PersistedEvent[],
  damage: readonly LogDamage[],
): readonly (PersistedEvent | LogDamage)[] {
  if (damage.length === 0) return events;
  return [...damage, ...events].sort((one, other) => (one.position ?? 0) - (other.position ?? 0));
}
