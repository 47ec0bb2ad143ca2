import type { DirectConversations } from '../../access/direct-conversations.js';
import type { ConnectedAccounts } from '../../realtime/mapper.js';
import type { ChannelModels } from '../channels/client-models.js';

/** What client events read about people whom not everybody may know. */
export interface AcquaintanceModels extends ConnectedAccounts {
  /** The direct conversations in which any of these people ever took part. */
  directConversations(userIds: readonly number[]): Promise<DirectConversations>;
}

/** What client events read about people and bots. */
export interface UserModels extends AcquaintanceModels, ChannelModels {
  /** The token in the requests of an outgoing webhook bot: only for people who may read its keys. */
  botServiceToken(botId: number): string;

  /** The keys of bots, by bot: only for people who may read them. Bots without a key are left out. */
  botKeys(botIds: readonly number[]): Promise<ReadonlyMap<number, string>>;

  /** The same for client events: none while keys cannot be read, because an error would delay everyone's events. */
  botKeysIfAvailable(botIds: readonly number[]): Promise<ReadonlyMap<number, string>>;

  /**
   * The key that an event gives a bot. It is issued right after the append, or not at all if the command was
   * interrupted.
   *
   * @param since milliseconds since the UNIX epoch; older keys do not count
   */
  newBotKey(botId: number, since: number): Promise<string | null>;
}
