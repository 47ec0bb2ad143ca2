import type { HeadRecords } from '../../stores/event-store/head-record.js';
import type { EventStore } from '../../stores/event-store/port.js';
import type { TagKey } from '../../stores/event-store/tags/event-tag.js';
import { MerkleFrontier } from '../../stores/event-store/merkle/frontier.js';
import { readHeadRecord } from '../../stores/event-store/merkle/head-record.js';
import type { Finding, KnownTreeHead } from './report.js';

/** What the record beside a log says about its end. */
export interface RecordedEnd {
  /** Null: there is no record that was made with the server's key. */
  readonly treeHead: KnownTreeHead | null;
  /** What is wrong with the record, or with the end of the log. */
  readonly findings: readonly Finding[];
}

/** Where the record is, and how to check it. */
interface RecordSources {
  readonly eventStore: Pick<EventStore, 'head'>;
  readonly headRecords: HeadRecords;
  readonly tagKey: TagKey;
  /** Whether events carry tags, so that there must be a record; null: the key store does not say. */
  readonly isTagged: boolean | null;
}

/**
 * Reads the record of a log's end. Must be called before the log is read: the record does not cover what is appended
 * meanwhile.
 */
export async function readRecordedEnd(sources: RecordSources): Promise<RecordedEnd> {
  const { headRecords, tagKey, isTagged } = sources;
  const { record, head } = await atOneMoment(sources);
  if (record === null) {
    const gone =
      'the record of the log’s end is gone: what was removed from the end, or changed places, cannot be seen';
    return { treeHead: null, findings: isTagged === false ? [] : [found(gone)] };
  }
  const end = readHeadRecord(record, tagKey);
  if (end === null)
    return {
      treeHead: null,
      findings: [found('the record of the log’s end was not made under this server’s key')],
    };
  const { size, peaks, position } = end;
  const treeHead = {
    size,
    root: MerkleFrontier.of(size, peaks).root().toString('hex'),
    by: 'record',
  } as const;
  if (!headRecords.isExact || head === position) return { treeHead, findings: [] };
  const message = `the log ends at position ${head ?? 'none'}, but this server wrote up to position ${position}: events were removed from its end, or added`;
  return { treeHead, findings: [found(message)] };
}

/** Reads record and end consistently, although a running server may append between the two reads. */
async function atOneMoment({
  headRecords,
  eventStore,
}: RecordSources): Promise<{ readonly record: string | null; readonly head: number | null }> {
  for (;;) {
    const record = await headRecords.read();
    const head = await eventStore.head();
    if ((await headRecords.read()) === record) return { record, head };
  }
}

function found(message: string): Finding {
  return { kind: 'record', position: null, place: null, message };
}
