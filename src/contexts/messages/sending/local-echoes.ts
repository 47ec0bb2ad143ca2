import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/**
 * The id that a client gave a message that it sends, and the queue in which it expects the event: texts of at most
 * `budgets.localId` characters.
 */
export interface LocalEcho {
  readonly queueId: string;
  readonly localId: string;
}

/**
 * How many ids are kept at once. A message whose id was dropped arrives without it, as it does at other
 * clients.
 */
const MAX_ECHOES = 10_000;

/**
 * The ids that clients gave to the messages that they send through this process. They are not in the log: a
 * returning message is matched by its command id, which derives from the client's id.
 */
@Injectable()
export class LocalEchoes {
  private readonly byCommandId = new LRUCache<string, LocalEcho>({ max: MAX_ECHOES });

  expect(commandId: string, localEcho: LocalEcho): void {
    this.byCommandId.set(commandId, localEcho);
  }

  nameOf(commandId: string): LocalEcho | null {
    return this.byCommandId.get(commandId) ?? null;
  }
}
