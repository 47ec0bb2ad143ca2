import { pictureUrl } from '../avatar.js';
import type { User } from '../user.js';

/** What bots have beside their names, and what may be set for them in a later version. */
export interface BotFields {
  readonly avatar_url: string;
  readonly default_sending_stream: null;
  readonly default_events_register_stream: null;
  readonly default_all_public_streams: false;
}

export function botFields(bot: User): BotFields {
  return {
    avatar_url: pictureUrl(bot, bot.email),
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
  };
}
