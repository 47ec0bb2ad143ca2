import { describe, expect, it } from '@jest/globals';
import { projections } from '../../projections/registry.js';
import { eventCatalog } from '../../src/stores/event-catalog.js';

/** Event types that no read model handles, each with the reason. */
const projectedByNobody: ReadonlySet<string> = new Set([
  'ExternalIdentityLinked',
  'OutgoingWebhookRequested',
  'OutgoingWebhookUnanswered',
  'OutgoingWebhookAnswered',
  'OutgoingWebhookFailed',
  'DeviceTokenAdded',
  'DeviceTokenRemoved',
  'LogSealed',
  'TaggingStarted',
  'LogAudited',
  'ModelOperationOrdered',
  'MessageErased',
  'PersonErasureRequested',
  'PersonErased',
  'MessageReported',
  'MessageErasureDeferred',
  'PersonErasureRefused',
  'BelongingErasureDeferred',
  'BelongingErased',
  'CaseCreated',
  'CaseChanged',
  'CaseHoldPlaced',
  'CaseHoldLifted',
  'CaseClosed',
  'SecurityRecordsErased',
  'LoggedIn',
  'LogInFailed',
  'LogInFailuresCounted',
  'ApiKeyIssued',
  'ApiKeyEnded',
  'OwnDataExported',
  'ResumableUploadStarted',
  'ResumableUploadExtended',
  'ResumableUploadFinished',
  'ResumableUploadAbandoned',
  'ExportRequested',
  'ExportStarted',
  'ExportCompleted',
  'ExportFailed',
  'ExportDownloaded',
  'ExportDeleted',
]);

describe.each(eventCatalog.definitions.map((definition) => [definition.type, definition] as const))(
  'the event %s',
  (type, definition) => {
    it('has an example that its schema accepts unchanged', () => {
      expect(definition.schema.parse(definition.example)).toEqual(definition.example);
    });

    it('has a sentence that describes it, and a name in the past tense', () => {
      expect(definition.description).toMatch(/^[A-Z].+\.$/);
      expect(type).toMatch(/^[A-Z][A-Za-z]+(ed|Sent)(In|Read|Unread)?$/);
    });

    it('has its line in a projection, or is known to need none', () => {
      const isProjected = projections.some(
        ({ on, name }) => name !== 'audit-index' && Object.hasOwn(on, type),
      );
      expect(isProjected).not.toBe(projectedByNobody.has(type));
    });

    it('has a placeholder for each field that can be erased', () => {
      const { fields = [], placeholder = {} } = definition.erasable ?? {};
      expect(Object.keys(placeholder).sort()).toEqual([...fields].sort());
    });
  },
);
