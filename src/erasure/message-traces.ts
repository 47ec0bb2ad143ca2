import type { EventLog } from '../event-store/event-log.js';
import { messagesStream } from '../messages/message.js';
import { revisionOfId } from '../kernel/ids.js';
import type { Cause } from './erasing.js';

/** A message in the log, and what was made of it. */
export interface MessageTrace {
  readonly messageId: number;
  /** Ids of the keys that guard what it says: first its own. */
  readonly keys: readonly [string, ...string[]];
}

/** Finds what is to go when deleted messages are erased. */
export class MessageTraces {
  constructor(private readonly log: EventLog) {}

  async of(messageIds: readonly number[], _cause: Cause): Promise<readonly MessageTrace[]> {
    const traces: MessageTrace[] = [];
    for (const messageId of messageIds) {
      const revision = revisionOfId(messageId);
      const [sent] = await this.log.store.readStream(messagesStream, { from: revision, limit: 1 });
      if (sent?.revision === revision) traces.push({ messageId, keys: [sent.id] });
    }
    return traces;
  }
}
