import type { LogDamage, LogInspection } from '../../event-store/inspection.js';
import type { PersistedEvent } from '../../event-store/port.js';
import { eventFaults, type EventChecking } from './event-faults.js';
import { MOST_FINDINGS, type Finding, type VerificationReport, type Vouched } from './report.js';
import { SealChain } from './seal-chain.js';
import { StreamOrder } from './stream-order.js';

/** What a verification works with. */
export interface VerificationOptions extends EventChecking {
  /** What the log is to be compared with, beside its own seals. */
  readonly vouched?: readonly Vouched[];
  /** The furthest position that a read model has passed: so far the log went once. Absent or null: not known. */
  readonly passed?: number | null;
  /** Told how far it has come. */
  readonly onProgress?: (position: number) => void;
}

/**
 * Verifies a whole log: each event's hash, metadata and schema, that it can be read, the revisions of each stream, the order of
 * all, and every seal. Only the streams' last revisions and what no seal covers yet is kept in memory.
 */
export async function verifyLog(
  inspection: LogInspection,
  { vouched = [], passed = null, onProgress, ...checking }: VerificationOptions,
): Promise<VerificationReport> {
  const findings: Finding[] = [];
  const order = new StreamOrder(inspection.dense);
  const seals = new SealChain(vouched);
  let head: number | null = null;
  const note = (found: readonly Finding[]): void => {
    findings.push(...found.slice(0, Math.max(0, MOST_FINDINGS - findings.length)));
  };
  for await (const { events, damage, position } of inspection.pages()) {
    note(await eventFaults(events, checking));
    for (const found of inPlace(events, damage)) {
      if (isDamage(found)) {
        order.pass(found.position);
        note([{ kind: 'damaged', position: found.position, place: null, message: found.reason }]);
      } else {
        note([...order.take(found), ...seals.take(found)]);
      }
    }
    head = events.at(-1)?.position ?? head;
    onProgress?.(position);
  }
  note(seals.end());
  note(endFaults(await inspection.end(head), passed));
  const { size, sealed } = seals;
  return { events: size, head, root: seals.root(), seals: seals.seals, sealed, findings };
}

/** What is gone from the end leaves no gap: what followed the log until there still knows. */
function endFaults(head: number | null, passed: number | null): readonly Finding[] {
  if (passed === null || passed <= (head ?? -1)) return [];
  const end = head === null ? 'is empty' : `ends at position ${head}`;
  const message = `the log ${end}, but a read model has followed it up to position ${passed}: its last events are gone`;
  return [{ kind: 'missing', position: null, place: null, message }];
}

function isDamage(found: PersistedEvent | LogDamage): found is LogDamage {
  return 'reason' in found;
}

/** What is damaged stands among the events where it was found. */
function inPlace(
  events: readonly PersistedEvent[],
  damage: readonly LogDamage[],
): readonly (PersistedEvent | LogDamage)[] {
  if (damage.length === 0) return events;
  return [...damage, ...events].sort((one, other) => (one.position ?? 0) - (other.position ?? 0));
}
