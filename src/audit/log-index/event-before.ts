import type { AuditEntryDocument } from '../../contexts/audit-index/read-model.js';
import type { Collection, ModelStore } from '../../stores/read-store/port.js';
import { CLOCKS_AGREE_WITHIN, type PastMoment } from '../moment.js';

/**
 * Finds an event shortly before the last one of a moment, by the index. The search for that last event can start
 * there, however far the seals of the log are apart.
 *
 * @returns its position; null: the index has no such event
 */
export async function eventBefore(index: ModelStore, moment: PastMoment): Promise<number | null> {
  const entries = index.collection<AuditEntryDocument>('audit_entries');
  const { position: learned } = await index.checkpoint();
  if (learned === null) return null;
  const bound =
    'position' in moment
      ? Math.min(moment.position, learned)
      : (await firstSince(entries, moment.time - CLOCKS_AGREE_WITHIN, learned)).position;
  const [, before] = await entries.find({ _id: { $lte: bound } }, { sort: { _id: -1 }, limit: 2 });
  return before?._id ?? null;
}

/**
 * Finds, by binary search, a position before which every event was decided before a time, apart from differences
 * between clocks.
 *
 * @param learned position of the last event in the index
 * @returns the position, and how many rows of the index were read
 */
export async function firstSince(
  entries: Collection<AuditEntryDocument>,
  time: number,
  learned: number,
): Promise<{ readonly position: number; readonly rows: number }> {
  let [low, high] = [0, learned + 1];
  let rows = 0;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await entries.findOne({ _id: { $gte: middle } }, { sort: { _id: 1 } });
    rows += 1;
    if (entry === null || entry.at >= time) high = middle;
    else low = entry._id + 1;
  }
  return { position: low, rows };
}
