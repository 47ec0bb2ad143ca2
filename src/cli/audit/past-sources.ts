import type { AuditIndex } from '../../audit/log-index/audit-index.js';
import { PastPermissions } from '../../audit/past/past-permissions.js';
import type { PastSources } from '../../audit/past/past-sources.js';
import { KnownNames } from '../../audit/queries/known-names.js';
import type { PastNode } from '../../node/past-node.js';

/** The sources of the queries that a server answers too. Here the read models are built from the log. */
export async function pastSourcesIn(node: PastNode): Promise<PastSources> {
  // Loaded only when needed, because it imports a large part of the program.
  const { messageReaderOver } = await import('../../node/open-message-reader.js');
  const { QueryDeadline } = await import('../../reader-threads/query-deadline.js');
  const { DiscardedEvents } = await import('../../audit/log-index/audit-index.js');
  const { models, follower, clock, stores } = node;
  const messages = messageReaderOver({ models, follower, vault: stores.vault, clock });
  const { log } = stores;
  return {
    log,
    messages,
    permissions: new PastPermissions(log),
    names: new KnownNames(log),
    deadline: new QueryDeadline(),
    discarded: new DiscardedEvents(models),
    // There is no audit index here, so the log itself is read.
    index: { open: () => Promise.resolve(null) } as AuditIndex,
  };
}
