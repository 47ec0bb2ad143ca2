import type { AuditEntryDocument } from '../../contexts/audit-index/read-model.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import {
  decodeReadable,
  isReadable,
  type UnreadableEvent,
} from '../../stores/event-store/readable-events.js';
import { isInStreams, isSelected, type LogSelection } from '../log/log-selection.js';
import { asStored } from '../log/selected-events.js';
import { storedEventsAt } from './stored-events-at.js';

/** The entries whose events may be selected, as far as the index alone can tell. */
export function entriesWithin(
  entries: readonly AuditEntryDocument[],
  { since = -Infinity, until = Infinity, streams }: LogSelection,
): readonly AuditEntryDocument[] {
  return entries.filter((entry) => entry.at >= since && entry.at <= until && isInStreams(entry, streams));
}

/** Reads the events of entries, a few at a time, and drops those that are not selected. In log order. */
export async function selectedOf(
  log: EventLog,
  entries: readonly AuditEntryDocument[],
  selection: LogSelection,
): Promise<readonly (RecordedEvent | UnreadableEvent)[]> {
  const stored = await storedEventsAt(log.store, entries);
  const asIs = new Map(stored.map((event) => [event.position, event]));
  return (await decodeReadable(log, stored)).filter((event) =>
    isSelected(isReadable(event) ? event : asStored(asIs.get(event.position)!), selection),
  );
}
