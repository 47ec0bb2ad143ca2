import { MessageReader } from '../../contexts/messages/message-reader.js';
import { QueryDeadline } from '../../reader-threads/query-deadline.js';
import { Injectable } from '../../runtime/nest-decorators.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { AuditIndex, DiscardedEvents } from '../log-index/audit-index.js';
import { KnownNames } from '../queries/known-names.js';
import { PastPermissions } from './past-permissions.js';

/** What queries about past messages and conversations read from. */
@Injectable()
export class PastSources {
  constructor(
    readonly log: EventLog,
    readonly index: AuditIndex,
    readonly messages: MessageReader,
    readonly permissions: PastPermissions,
    readonly names: KnownNames,
    readonly deadline: QueryDeadline,
    readonly discarded: DiscardedEvents,
  ) {}
}
