import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** What a client calls a message that it sends, and the queue in which it waits for it. */
export interface LocalName {
  readonly queueId: string;
  readonly localId: string;
}

/** So many messages are on their way at most; whose name is forgotten arrives without it, as with other clients. */
const MAX_NAMES = 10_000;

/**
 * What clients call the messages that they send through this process. The log does not keep it: the command's id, which
 * derives from it, is what the message is known by when it comes back.
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
