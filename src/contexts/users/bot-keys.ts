import { setTimeout as delay } from 'node:timers/promises';
import { CredentialStoreUnavailableError } from '../../stores/credential-store/port.js';
import type { Credentials } from './credentials.js';

/** How long to wait for a key that is issued after an event, and how often to check for it, in milliseconds. */
const keyWait = { max: 1_000, between: 10 };

/** The keys of bots, for client events. */
export class BotKeys {
  constructor(private readonly credentials: Pick<Credentials, 'readableKeys'>) {}

  /**
   * The keys that were issued at `since` or later (milliseconds since the UNIX epoch), by bot; the caller must check who
   * may see them. None when keys cannot be read: an error would delay the client events of everyone.
   */
  async ifAvailable(botIds: readonly number[], since = 0): Promise<ReadonlyMap<number, string>> {
    try {
      return await this.credentials.readableKeys(botIds, since);
    } catch (error) {
      if (error instanceof CredentialStoreUnavailableError) return new Map();
      throw error;
    }
  }

  /**
   * The key that a bot gets with an event. It is issued right after the append, or never if the process is
   * interrupted, so the wait is limited.
   */
  async issuedSince(botId: number, since: number): Promise<string | null> {
    const deadline = performance.now() + keyWait.max;
    for (;;) {
      const key = (await this.ifAvailable([botId], since)).get(botId) ?? null;
      if (key !== null || performance.now() > deadline) return key;
      await delay(keyWait.between);
    }
  }
}
