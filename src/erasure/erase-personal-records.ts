import type { Reactor } from '../../projections/engine/reactor.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { commandIdOf } from '../stores/event-store/event-id.js';
import { keyIdOf } from '../stores/event-store/event-reading.js';
import { serverMetadata } from '../stores/event-store/command-metadata.js';
import { eventsOfStream } from '../stores/event-store/port.js';
import type { EncryptedFiles } from '../stores/file-store/encrypted-files.js';
import { CaseHoldLifted } from '../events/cases.js';
import { personalDeletions, type ErasureEvent } from '../events/erasure.js';
import {
  DraftDeleted,
  DraftsDiscarded,
  ReminderCancelled,
  ScheduledMessageCancelled,
} from '../events/personal.js';
import { SavedSnippetDeleted } from '../events/saved-snippets.js';
import { securityEvents } from '../events/security.js';
import { UploadDeleted } from '../events/uploads.js';
import type { Decisions } from '../http/decisions.js';
import type { Clock } from '../kernel/clock.js';
import { isEvent, type RecordedEvent } from '../kernel/event.js';
import { handlers, on } from '../kernel/event-handlers.js';
import { revisionOfId } from '../kernel/ids.js';
import type { Vault } from '../stores/key-store/vault.js';
import type { Cause } from './message-copies.js';
import type { DeferredRecords } from './deferred-records.js';
import { erasures, type Erasures } from '../audit/cases/erasures.state.js';
import type { ErasableModels } from './erasable-models.js';
import { erasesWhatIsDeleted } from './erase-messages.js';
import { decideDeferRecord, decideEraseRecord } from '../audit/cases/erasures.decide.js';

/** What {@link ErasePersonalRecords} needs. */
interface ErasePersonalRecordsOptions {
  readonly log: EventLog;
  readonly vault: Pick<Vault, 'destroy'>;
  readonly follower: DirectoryFollower;
  readonly models: ErasableModels;
  readonly files: Pick<EncryptedFiles, 'delete'>;
  readonly decisions: Pick<Decisions, 'record'>;
  readonly clock: Clock;
  readonly deferred: DeferredRecords;
}

/** By event type: the field that identifies the record. */
const nameFields: Readonly<Record<string, string>> = {
  [DraftDeleted.type]: 'draftId',
  [DraftsDiscarded.type]: 'draftId',
  [ReminderCancelled.type]: 'reminderId',
  [ScheduledMessageCancelled.type]: 'scheduledId',
  [SavedSnippetDeleted.type]: 'snippetId',
  [UploadDeleted.type]: 'uploadId',
};

/**
 * Destroys the bytes of deleted uploads and, where the organization wants deleted messages erased, the keys of the drafts, reminders,
 * scheduled messages and snippets that people delete: a draft repeats the text of the message sent from it. Doing this twice is harmless,
 * so only records deferred by a legal hold are recorded.
 */
export class ErasePersonalRecords implements Reactor {
  readonly name = 'erase-belongings';
  readonly on = handlers(
    on([...personalDeletions, UploadDeleted], (event) => this.eraseUnlessOnHold(event)),
    on(CaseHoldLifted, (event) => this.eraseDeferred(event)),
  );

  constructor(private readonly options: ErasePersonalRecordsOptions) {}

  private async eraseUnlessOnHold(event: RecordedEvent): Promise<void> {
    if (!this.isToGo(event)) return;
    const caseIds = await this.options.deferred.casesKeeping(event, event.position);
    if (caseIds.length === 0) return this.erase(event);
    const { stream, revision } = event;
    await this.record(event, (state) => decideDeferRecord(state, { stream, revision, caseIds }));
  }

  /** Records under another hold remain deferred, also if that hold was placed after this lifting and before the record's deferral. */
  private async eraseDeferred(lifting: RecordedEvent): Promise<void> {
    const { log, deferred } = this.options;
    for (const { stream, revision, position: deferredAt } of await deferred.all()) {
      const position = Math.max(deferredAt, lifting.position);
      const [event] = await log.readStream(stream, { from: revision, limit: 1 });
      if (event === undefined || (await deferred.casesKeeping(event, position)).length > 0) continue;
      await this.erase(event);
      await this.record(lifting, () => decideEraseRecord({ stream, revision }), event.id);
    }
  }

  /** Bytes of deleted files are destroyed whatever the policy for texts. */
  private isToGo(event: RecordedEvent): boolean {
    return isEvent(event, UploadDeleted) || erasesWhatIsDeleted(this.options.follower);
  }

  /** Does not ask for the policy again: it decided when the record was discarded, and a hold only defers that. */
  private async erase(event: RecordedEvent): Promise<void> {
    const { vault, follower, models, files } = this.options;
    // An event about a log-in has its own key, which is destroyed whatever the policy for texts.
    if (isEvent(event, ...securityEvents)) return vault.destroy([event.id]);
    if (isEvent(event, UploadDeleted)) {
      await files.delete({ name: event.data.storageName });
      // The name of a file is a text of its owner.
      if (!erasesWhatIsDeleted(follower)) return;
    }
    const name = nameFields[event.type]!;
    const data = event.data as Readonly<Record<string, unknown>>;
    // One event may delete several records.
    const ids = (data[`${name}s`] ?? [data[name]]) as readonly number[];
    const keys = await Promise.all(ids.map((id) => this.keysOf(event, name, id)));
    await vault.destroy(keys.flat());
    await models.pass({ position: event.position, types: [event.type] });
    await models.dropFormerVersions();
    await models.scrub();
  }

  /** A record's id is the revision of its first event plus one. */
  private async keysOf({ stream, revision }: RecordedEvent, name: string, id: number): Promise<string[]> {
    const keys: string[] = [];
    for await (const event of eventsOfStream(this.options.log.store, stream, revisionOfId(id))) {
      if (event.revision >= revision) break;
      const key = keyIdOf(event);
      if (event.data[name] === id && key !== null) keys.push(key);
    }
    return keys;
  }

  private async record(
    cause: Cause,
    decide: (state: Erasures) => readonly ErasureEvent[],
    subject = '',
  ): Promise<void> {
    const { decisions, clock } = this.options;
    const commandId = commandIdOf(['erase-belongings', cause.id, subject]);
    await decisions.record(serverMetadata(commandId, clock.now(), cause.id), erasures, decide);
  }
}
