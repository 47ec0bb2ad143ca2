import { MessageReader } from '../../contexts/messages/message-reader.js';
import { QueryDeadline } from '../../reader-threads/query-deadline.js';
import { Inject, Injectable } from '../../runtime/nest-decorators.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { AuditIndex, DiscardedEvents } from '../log-index/audit-index.js';
import { KnownNames } from '../queries/known-names.js';
import { PastPermissions } from './past-permissions.js';

/** What queries about past messages and conversations read from. */
@Injectable()
export class PastSources {
  @Inject(EventLog) readonly log!: EventLog;
  @Inject(AuditIndex) readonly index!: AuditIndex;
  @Inject(MessageReader) readonly messages!: MessageReader;
  @Inject(PastPermissions) readonly permissions!: PastPermissions;
  @Inject(KnownNames) readonly names!: KnownNames;
  @Inject(QueryDeadline) readonly deadline!: QueryDeadline;
  @Inject(DiscardedEvents) readonly discarded!: DiscardedEvents;
}
