import { facetsOf, learnedFrom, messageOf } from '../src/contexts/audit-index/facets.js';
import {
  auditIndexModel,
  type AuditEntryDocument,
  type AuditRoleDocument,
  type AuditSenderDocument,
} from '../src/contexts/audit-index/read-model.js';
import { MessageSent } from '../src/events/messages.js';
import { isEvent, type RecordedEvent } from '../src/kernel/event.js';
import { eventCatalog } from '../src/stores/event-catalog.js';
import {
  on,
  type Change,
  type DocumentReference,
  type LoadedDocuments,
  type Projection,
} from './engine/projection.js';

/** The index by which auditors find events: it has an entry for every event of the log. */
export const auditIndexProjection: Projection = {
  ...auditIndexModel,
  isBackground: true,
  on: on(eventCatalog.definitions, { reads: known, apply: indexed }),
};

function known(event: RecordedEvent): readonly DocumentReference[] {
  const role = roleOf(event);
  const sender = senderOf(event);
  return [...(role === null ? [] : [role]), ...(sender === null ? [] : [sender])];
}

function roleOf({ metadata: { actorId } }: RecordedEvent): DocumentReference | null {
  return actorId === null ? null : { collection: 'audit_roles', id: actorId };
}

function senderOf(event: RecordedEvent): DocumentReference | null {
  if (isEvent(event, MessageSent)) return null;
  const id = messageOf(event);
  return id === null ? null : { collection: 'audit_senders', id };
}

function indexed(event: RecordedEvent, documents: LoadedDocuments): readonly Change[] {
  const [role, sender] = [roleOf(event), senderOf(event)];
  const entry: AuditEntryDocument = {
    _id: event.position,
    stream: event.stream,
    revision: event.revision,
    at: event.metadata.at,
    facets: facetsOf(event, {
      role: role && (documents.get<AuditRoleDocument>(role.collection, role.id)?.role ?? null),
      senderId: isEvent(event, MessageSent)
        ? event.data.senderId
        : sender && (documents.get<AuditSenderDocument>(sender.collection, sender.id)?.senderId ?? null),
    }),
  };
  return [{ collection: 'audit_entries', put: entry }, ...learned(event)];
}

function learned(event: RecordedEvent): readonly Change[] {
  const fact = learnedFrom(event);
  if (fact === null) return [];
  if (fact.kind === 'role')
    return [{ collection: 'audit_roles', put: { _id: fact.userId, role: fact.role } }];
  return [{ collection: 'audit_senders', put: { _id: fact.messageId, senderId: fact.senderId } }];
}
