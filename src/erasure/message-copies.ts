import { systemBotIds } from '../access/system-bots.js';
import type { LegalHolds } from '../audit/cases/legal-holds.js';
import { conversationKey } from '../contexts/messages/conversation-documents.js';
import { deleteByServer } from '../contexts/messages/deletion/message-deletion.js';
import type { MessageDocument } from '../contexts/messages/message-document.js';
import type { MessageReader } from '../contexts/messages/message-reader.js';
import type { PersonalReader } from '../contexts/personal/personal-reader.js';
import type { RememberedDocument } from '../contexts/personal/read-model.js';
import { decideCancelReminderIfOpen } from '../contexts/personal/reminders.decide.js';
import { remindersOf } from '../contexts/personal/reminders.state.js';
import { decideDeleteUploadWithoutCheck } from '../contexts/uploads/uploads.decide.js';
import { foldedUploads, UPLOADS_STREAM } from '../contexts/uploads/uploads.state.js';
import { personalStream } from '../events/personal.js';
import type { Decisions } from '../http/decisions.js';
import type { Clock } from '../kernel/clock.js';
import type { EventMetadata, RecordedEvent } from '../kernel/event.js';
import { revisionOfId } from '../kernel/ids.js';
import type { RenderReferences } from '../markdown/references.js';
import { serverMetadata } from '../stores/event-store/command-metadata.js';
import { commandIdOf } from '../stores/event-store/event-id.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { keyIdOf } from '../stores/event-store/event-reading.js';
import type { ModelWrite } from './erasable-models.js';
import type { LoggedMessage } from './message-traces.js';

/** The event that causes an erasure. */
export interface Cause {
  readonly id: string;
  /** Position of the event in the log. */
  readonly position: number;
}

/** What {@link MessageCopies} needs. */
interface MessageCopiesOptions {
  readonly log: EventLog;
  readonly decisions: Decisions;
  readonly messages: MessageReader;
  readonly personal: PersonalReader;
  readonly clock: Clock;
  readonly legalHolds: LegalHolds;
}

/** When and why messages are erased. */
interface MessageErasure {
  /** By message id: the position of the log at which legal holds are evaluated for it. */
  readonly positions: ReadonlyMap<number, number>;
  readonly cause: Cause;
}

/** A file that an erased message refers to. */
interface ReferredFile {
  readonly uploadId: number;
  readonly senderId: number;
  /** Position at which legal holds are evaluated: that of the last message that refers to it. */
  readonly position: number;
}

/** The result of erasing a copy. */
interface ErasedCopy {
  /** Id of its key; null: it has none. */
  readonly key: string | null;
  /** The event that deleted it; null: it was already deleted. */
  readonly write: ModelWrite | null;
}

/**
 * Other records that repeat a message's text: files that its sender attached to no other message, and reminders about it. They are deleted
 * by events of their own before the message's key is destroyed, because afterwards they can no longer be found.
 */
export class MessageCopies {
  constructor(private readonly options: MessageCopiesOptions) {}

  async erase(messages: readonly LoggedMessage[], erasure: MessageErasure): Promise<readonly ErasedCopy[]> {
    const { cause } = erasure;
    return [...(await this.eraseFiles(messages, erasure)), ...(await this.eraseReminders(messages, cause))];
  }

  private async eraseFiles(
    messages: readonly LoggedMessage[],
    { positions, cause }: MessageErasure,
  ): Promise<ErasedCopy[]> {
    const files = new Map<number, ReferredFile>();
    for (const { messageId, sent, changes } of messages) {
      const said = await this.options.log.decode([
        sent,
        ...changes.filter(({ type }) => type === 'MessageEdited'),
      ]);
      const senderId = Number(sent.data['senderId']);
      for (const uploadId of said.flatMap(uploadsIn)) {
        const position = Math.max(positions.get(messageId)!, files.get(uploadId)?.position ?? 0);
        files.set(uploadId, { uploadId, senderId, position });
      }
    }
    const referred = await this.options.messages.referredTo([...files.keys()]);
    const erased: ErasedCopy[] = [];
    for (const file of files.values()) {
      if (!referred.has(file.uploadId)) erased.push(await this.eraseFile(file, cause));
    }
    return erased;
  }

  private async eraseFile({ uploadId, senderId, position }: ReferredFile, cause: Cause): Promise<ErasedCopy> {
    const from = revisionOfId(uploadId);
    const [uploaded] = await this.options.log.store.readStream(UPLOADS_STREAM, { from, limit: 1 });
    if (uploaded?.data['uploaderId'] !== senderId) return { key: null, write: null };
    const metadata = this.metadata(`upload ${uploadId}`, cause);
    const events = await this.options.decisions.record(metadata, foldedUploads, (uploads) =>
      decideDeleteUploadWithoutCheck(uploads, uploadId),
    );
    // Under a hold, the reactor to the file's deletion defers it.
    const isKept = await this.options.legalHolds.anyAt(events[0]?.position ?? position);
    return { key: isKept ? null : keyIdOf(uploaded), write: writeOf(events) };
  }

  private async eraseReminders(messages: readonly LoggedMessage[], cause: Cause): Promise<ErasedCopy[]> {
    const ids = messages.map(({ messageId }) => messageId);
    const remembered = await (await this.options.personal.remembered()).find({ messageId: { $in: ids } });
    return Promise.all(remembered.map((one) => this.eraseReminder(one, cause)));
  }

  /** A reminder that was already sent is a message, and is deleted and erased as one. */
  private async eraseReminder(
    { userId, reminderId, triggeredBy }: RememberedDocument,
    cause: Cause,
  ): Promise<ErasedCopy> {
    const from = revisionOfId(reminderId);
    const stream = personalStream(userId);
    const [requested] = await this.options.log.store.readStream(stream, { from, limit: 1 });
    const metadata = this.metadata(`reminder ${userId} ${reminderId}`, cause);
    const events = await this.options.decisions.record(metadata, remindersOf(userId), (reminders) =>
      decideCancelReminderIfOpen(reminders, { userId, reminderId }),
    );
    if (triggeredBy !== null) await this.deleteNotice(userId, triggeredBy, cause);
    return { key: requested?.id ?? null, write: writeOf(events) };
  }

  private async deleteNotice(userId: number, causedBy: string, cause: Cause): Promise<void> {
    const conversation = conversationKey([userId, systemBotIds.notification]);
    const model = await this.options.messages.model();
    const filter = { conversation, causedBy };
    for (const notice of await model.collection<MessageDocument>('messages').find(filter)) {
      await deleteByServer(this.options.decisions, notice, this.metadata(`notice ${notice._id}`, cause));
    }
  }

  private metadata(effect: string, { id }: Cause): EventMetadata {
    return serverMetadata(commandIdOf(['erase-messages', id, effect]), this.options.clock.now(), id);
  }
}

function writeOf(events: readonly RecordedEvent[]): ModelWrite | null {
  const last = events.at(-1);
  return last === undefined ? null : { position: last.position, types: events.map(({ type }) => type) };
}

function uploadsIn({ data }: RecordedEvent): readonly number[] {
  return (data as { readonly references: RenderReferences }).references.uploads ?? [];
}
