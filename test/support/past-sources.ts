import type { AuditIndex, DiscardedEvents } from '../../src/audit/log-index/audit-index.js';
import { PastPermissions } from '../../src/audit/past/past-permissions.js';
import type { PastSources } from '../../src/audit/past/past-sources.js';
import { KnownNames } from '../../src/audit/queries/known-names.js';
import { Placements, type Placement } from '../../src/contexts/messages/placements.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import { QueryDeadline } from '../../src/reader-threads/query-deadline.js';
import type { EventLog } from '../../src/stores/event-store/event-log.js';
import type { ModelStore } from '../../src/stores/read-store/port.js';

/** What the past is read from: a log, and a model of messages that has followed it. There is no index of the log. */
export function pastSourcesOver(log: EventLog, model: ModelStore): PastSources {
  const messages: Pick<MessageReader, 'model' | 'placements'> = {
    model: () => Promise.resolve(model),
    placements: async () => {
      const placements = new Placements();
      placements.add(await model.collection<Placement>('arrivals').find({}, { sort: { _id: 1 } }));
      return placements;
    },
  };
  return {
    log,
    index: { open: () => Promise.resolve(null) } as AuditIndex,
    messages: messages as MessageReader,
    permissions: new PastPermissions(log),
    names: new KnownNames(log),
    deadline: new QueryDeadline(),
    discarded: { of: () => Promise.resolve([]) } as Pick<DiscardedEvents, 'of'> as DiscardedEvents,
  };
}
