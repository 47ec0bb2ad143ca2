import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/**
 * The id that a client gave a message that it sends, and the queue in which it expects the event: texts of at most
 * `budgets.localId` characters.
 */
export interface LocalName {
  readonly queueId: string;
  readonly localId: string;
}

/**
 * How many ids are kept at once. A message whose id was dropped arrives without it, as it does at other
 * clients.
 */
const MAX_NAMES = 10_000;

/**
 * The ids that clients gave to the messages that they send through this process. They are not in the log: a
 * returning message is matched by its command id, which derives from the client's id.
 */
@Injectable()
export class LocalEchoes {
  private readonly names = new LRUCache<string, LocalName>({ max: MAX_NAMES });

  expect(commandId: string, name: LocalName): void {
    this.names.set(commandId, name);
  }

  nameOf(commandId: string): LocalName | null {
    return this.names.get(commandId) ?? null;
  }
}
