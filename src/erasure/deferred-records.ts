import { erasures, type DeferredRecord } from '../audit/cases/erasures.state.js';
import type { LegalHolds } from '../audit/cases/legal-holds.js';
import { UploadDeleted } from '../events/uploads.js';
import { isEvent } from '../kernel/event.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import type { FoldedStreams } from '../stores/event-store/folded-streams.js';

/** What {@link DeferredRecords} needs. */
interface DeferredRecordsOptions {
  readonly log: EventLog;
  readonly streams: FoldedStreams;
  readonly legalHolds: LegalHolds;
}

/** The event by which a record was discarded, stored or decoded. */
interface DiscardingEvent {
  readonly type: string;
  readonly data: unknown;
}

/** Discarded records, other than messages, whose erasure legal holds defer. */
export class DeferredRecords {
  constructor(private readonly options: DeferredRecordsOptions) {}

  async all(): Promise<readonly DeferredRecord[]> {
    const { state } = await this.options.streams.load(erasures);
    return [...state.records.values()];
  }

  /** Ids of the cases whose holds keep a record at a position of the log, ascending. */
  casesKeeping(event: DiscardingEvent, position: number): Promise<readonly number[]> {
    const { legalHolds } = this.options;
    if (isEvent(event, UploadDeleted)) return legalHolds.casesOfFile({ position });
    return legalHolds.casesOfRecord(Number(ownerOf(event)), { position });
  }

  /** Ids of the cases whose holds keep, at a position of the log, some deferred record of a person. */
  async casesOfPerson(userId: number, position: number): Promise<readonly number[]> {
    const { store } = this.options.log;
    const caseIds = new Set<number>();
    for (const { stream, revision } of await this.all()) {
      const [event] = await store.readStream(stream, { from: revision, limit: 1 });
      if (event === undefined || ownerOf(event) !== userId) continue;
      for (const caseId of await this.casesKeeping(event, position)) caseIds.add(caseId);
    }
    return [...caseIds];
  }
}

function ownerOf({ type, data }: DiscardingEvent): unknown {
  return (data as Readonly<Record<string, unknown>>)[type === UploadDeleted.type ? 'uploaderId' : 'userId'];
}
