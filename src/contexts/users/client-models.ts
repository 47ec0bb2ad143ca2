import type { DirectConversations } from '../../access/direct-conversations.js';
import type { Listeners } from '../../realtime/mapper.js';
import type { ChannelModels } from '../channels/client-models.js';

/** What tells clients of people whom not everybody may know. */
export interface AcquaintanceModels extends Listeners {
  /** The direct conversations in which any of these people ever took part. */
  directConversations(userIds: readonly number[]): Promise<DirectConversations>;
}

/** What tells clients of people and bots. */
export interface UserModels extends AcquaintanceModels, ChannelModels {
  /** What an outgoing webhook bot's requests are known by: for nobody but who may read its keys. */
  botServiceToken(botId: number): string;

  /** The keys of bots, by bot: for nobody but who may read them. Bots without one are left out. */
  botKeys(botIds: readonly number[]): Promise<ReadonlyMap<number, string>>;

  /**
   * The key that a bot is given with an event: it is issued right after the append, or never when that is cut off.
   *
   * @param since milliseconds since the UNIX epoch; older keys do not count
   */
  newBotKey(botId: number, since: number): Promise<string | null>;
}
