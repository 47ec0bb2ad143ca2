import type { AdvanceRecord, HeadRecords } from '../head-record.js';
import type { EventStore } from '../port.js';
import type { TagKey } from '../tags/event-tag.js';
import { MerkleFrontier } from './frontier.js';
import { HASH_BYTES, leafOf } from './hashing.js';

/** The end of a log when its writer last updated the record. */
export interface LogEnd {
  /** Position of the last event. */
  readonly position: number;
  /** The number of events. */
  readonly size: number;
  /** The peaks of their Merkle tree: see {@link MerkleFrontier}. */
  readonly peaks: readonly Buffer[];
}

/** Formats the record: position, size, the peaks in base64url, and a MAC, separated by spaces. */
export function headRecordOf({ position, size, peaks }: LogEnd, key: TagKey): string {
  const said = `${position} ${size} ${Buffer.concat(peaks).toString('base64url')}`;
  return `${said} ${key.noteMac(said)}`;
}

/** Parses a record; null: it was not written with the key. */
export function readHeadRecord(record: string, key: TagKey): LogEnd | null {
  const end = record.lastIndexOf(' ');
  if (end === -1 || record.slice(end + 1) !== key.noteMac(record.slice(0, end))) return null;
  const [position, size, peaks] = record.split(' ') as [string, string, string];
  const bytes = Buffer.from(peaks, 'base64url');
  const count = bytes.length / HASH_BYTES;
  return {
    position: Number(position),
    size: Number(size),
    peaks: Array.from({ length: count }, (_none, index) =>
      bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
    ),
  };
}

/**
 * Returns a function that updates a record with an append.
 *
 * @param former the key that the present record may be authenticated under; absent: the same key
 */
export function advancingHeadRecord(key: TagKey, former: TagKey = key): AdvanceRecord {
  return (record, appended, { isFirst }) => {
    const before = record === null ? null : (readHeadRecord(record, key) ?? readHeadRecord(record, former));
    if (before === null && !(isFirst && record === null)) return null;
    const tree = before === null ? MerkleFrontier.empty() : MerkleFrontier.of(before.size, before.peaks);
    for (const { hash } of appended) tree.append(leafOf({ metadata: { hash: hash ?? null } }));
    const { position } = appended.at(-1)!;
    return headRecordOf({ position, size: tree.size, peaks: tree.peaks }, key);
  };
}

/** Creates the record of a log that has none, by reading the whole log once. */
export async function beginHeadRecord(
  { eventStore, headRecords }: { readonly eventStore: EventStore; readonly headRecords: HeadRecords },
  key: TagKey,
): Promise<void> {
  const tree = MerkleFrontier.empty();
  let last = 0;
  for await (const { events } of eventStore.readAll({ after: null })) {
    for (const event of events) tree.append(leafOf(event));
    last = events.at(-1)?.position ?? last;
  }
  await headRecords.write(headRecordOf({ position: last, size: tree.size, peaks: tree.peaks }, key));
}
