import type { OwnDataExports } from '../audit/own-data/own-data-exports.js';
import type { FoldedStreams } from '../stores/event-store/folded-streams.js';
import type { MessageReader } from '../contexts/messages/message-reader.js';
import { messageStream } from '../events/messages.js';
import type { ReaderPool } from '../reader-threads/reader-pool.js';
import type { EventQueues } from '../realtime/queues/event-queues.js';
import type { SentEmails } from './sent-emails.js';

/** What {@link CachedTexts} needs. */
export interface CachedTextsOptions {
  readonly streams: FoldedStreams;
  readonly messages: MessageReader;
  readonly queues: EventQueues;
  readonly emails: SentEmails;
  /** Copies of personal data that people requested from this process. */
  readonly copies: Pick<OwnDataExports, 'drop'>;
  /** The reader threads of this process. */
  readonly readers: Pick<ReaderPool, 'forgetTexts' | 'forgetNames'>;
}

/** What this process keeps, outside of the stores, of people's texts and identities: caches, and the outbox. */
export class CachedTexts {
  constructor(private readonly options: CachedTextsOptions) {}

  /** Forgets the texts of messages whose keys are destroyed. */
  async forgetMessages(messageIds: readonly number[]): Promise<void> {
    const { streams, messages, queues, emails, readers } = this.options;
    streams.forget(messageIds.map(messageStream));
    messages.forgetTexts();
    readers.forgetTexts();
    for (const messageId of messageIds) queues.forgetMessage(messageId);
    await emails.forgetMessages(messageIds);
  }

  /**
   * Forgets everything in memory, because any of it may name people whose keys are destroyed, the e-mails about them, and the copies of
   * their data.
   *
   * @param position of their erasure in the log: event queues registered later do not contain them
   */
  async forgetPeople(userIds: readonly number[], position: number): Promise<void> {
    const { streams, messages, queues, emails, readers, copies } = this.options;
    streams.clear();
    messages.forgetTexts();
    readers.forgetTexts();
    readers.forgetNames();
    queues.forgetBefore(position);
    await Promise.all(userIds.map((userId) => copies.drop(userId)));
    await emails.forgetPeople(userIds);
  }
}
