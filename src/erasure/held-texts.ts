import type { OwnDataExports } from '../audit/own-data/own-data-exports.js';
import type { FoldedStreams } from '../stores/event-store/folded-streams.js';
import type { MessageReader } from '../contexts/messages/message-reader.js';
import { messageStream } from '../events/messages.js';
import type { ReaderPool } from '../reader-threads/reader-pool.js';
import type { EventQueues } from '../realtime/queues/event-queues.js';
import type { SentEmails } from './sent-emails.js';

/** What {@link HeldTexts} works with. */
export interface HeldTextsOptions {
  readonly streams: FoldedStreams;
  readonly messages: MessageReader;
  readonly queues: EventQueues;
  readonly emails: SentEmails;
  /** Copies of what is stored about people, which they asked this process for. */
  readonly copies: Pick<OwnDataExports, 'drop'>;
  /** The threads of this process that read. */
  readonly readers: Pick<ReaderPool, 'forgetTexts' | 'forgetNames'>;
}

/** What this process holds, beside the stores, of what people wrote and who they are: in memory, and in its outbox. */
export class HeldTexts {
  constructor(private readonly options: HeldTextsOptions) {}

  /** Forgets what messages said whose keys are destroyed. */
  async forgetMessages(messageIds: readonly number[]): Promise<void> {
    const { streams, messages, queues, emails, readers } = this.options;
    streams.forget(messageIds.map(messageStream));
    messages.forgetTexts();
    readers.forgetTexts();
    for (const messageId of messageIds) queues.forgetMessage(messageId);
    await emails.forgetMessages(messageIds);
  }

  /**
   * Forgets all that is in memory, since people whose keys are destroyed may be anywhere in it, the e-mails about them, and the copies of
   * their data.
   *
   * @param position where their erasure stands in the log: clients that registered since know nothing of them
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
