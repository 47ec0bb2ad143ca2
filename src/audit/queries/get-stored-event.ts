import type { IQueryHandler } from '@nestjs/cqrs';
import type { AuditEntryDocument } from '../../contexts/audit-index/read-model.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { JsonObject } from '../../kernel/json.js';
import { Query, QueryHandler } from '../../runtime/nest-decorators.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { decodeReadable } from '../../stores/event-store/readable-events.js';
import { PastSources } from '../past/past-sources.js';
import { sealBefore } from '../../stores/event-store/seals.js';
import type { DescribedEvent } from './known-names.js';
import { withMovedCounts } from './moved-counts.js';

/** One event of the log: as it was written, in a sentence, and as it is stored. */
interface StoredEventReport {
  readonly event: DescribedEvent;
  /** The stored form, in which erasable content is encrypted. */
  readonly stored: {
    readonly id: string;
    readonly type: string;
    readonly data: JsonObject;
    readonly metadata: JsonObject;
  };
  /** SHA-256 digest of the stored form, hexadecimal; null: it has none. */
  readonly hash: string | null;
  /** The tag, which only the server's key can make; null: the event was appended before tags were introduced. */
  readonly tag: string | null;
}

/** Reads one event (GET /audit/events/{position}). The caller checks the permission and records the access. */
export class GetStoredEvent extends Query<StoredEventReport> {
  constructor(
    readonly caller: Caller,
    readonly position: number,
  ) {
    super();
  }
}

@QueryHandler(GetStoredEvent)
export class GetStoredEventHandler implements IQueryHandler<GetStoredEvent> {
  constructor(private readonly sources: PastSources) {}

  /** @throws ApplicationError `noSuchEvent`; the error of the deadline */
  async execute({ position }: GetStoredEvent): Promise<StoredEventReport> {
    const stored = (await this.byIndex(position)) ?? (await this.bySeals(position));
    if (stored === null) throw failure('noSuchEvent');
    const { log, names, deadline } = this.sources;
    const events = await withMovedCounts(await decodeReadable(log, [stored]), this.sources);
    const [event] = await names.describe(events, deadline);
    const { id, type, data, metadata } = stored;
    return {
      event: event!,
      stored: { id, type, data, metadata },
      hash: textOf(metadata['hash']),
      tag: textOf(metadata['tag']),
    };
  }

  private async byIndex(position: number): Promise<PersistedEvent | null> {
    const { index, log } = this.sources;
    const entries = (await index.open())?.model.collection<AuditEntryDocument>('audit_entries');
    const entry = (await entries?.findOne({ _id: position })) ?? null;
    if (entry === null) return null;
    const [event] = await log.store.readStream(entry.stream, { from: entry.revision, limit: 1 });
    return event?.position === position ? event : null;
  }

  /** Reads from the previous seal up to the position. */
  private async bySeals(position: number): Promise<PersistedEvent | null> {
    const { store } = this.sources.log;
    for await (const page of store.readAll({ after: await sealBefore(store, position) })) {
      this.sources.deadline.throwIfOver();
      const found = page.events.find((event) => event.position === position);
      if (found !== undefined) return found;
      if (page.position >= position) return null;
    }
    return null;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
