import type { FoldedStreams } from '../event-store/folded-streams.js';
import type { MessageReader } from '../messages/message-reader.js';
import { messageStream } from '../messages/message.js';
import type { EventQueues } from '../realtime/queues/event-queues.js';

/** What {@link HeldTexts} works with. */
export interface HeldTextsOptions {
  readonly streams: FoldedStreams;
  readonly messages: MessageReader;
  readonly queues: EventQueues;
}

/** What this process holds, beside the stores, of what people wrote and who they are. */
export class HeldTexts {
  constructor(private readonly options: HeldTextsOptions) {}

  /** Forgets what messages said whose keys are destroyed. */
  forgetMessages(messageIds: readonly number[]): void {
    const { streams, messages, queues } = this.options;
    streams.forget(messageIds.map(messageStream));
    messages.forgetTexts();
    for (const messageId of messageIds) queues.forgetMessage(messageId);
  }

  /** Forgets everything: whoever's key was destroyed may be anywhere in it. */
  forgetPeople(): void {
    const { streams, messages, queues } = this.options;
    streams.clear();
    messages.forgetTexts();
    queues.endAll();
  }
}
