import type { Directory } from '../../../access/directory.js';
import { pictureUrl } from '../avatar.js';
import { defaultsOf } from '../../../access/records/user.js';
import type { BotDefaults, User } from '../../../access/records/user.js';

/** The fields of bots in the API, without names. */
export interface BotFields extends BotDefaultFields {
  readonly avatar_url: string;
}

/** A bot's defaults for what its requests do not specify: names of channels, null for none. */
export interface BotDefaultFields {
  readonly default_sending_stream: string | null;
  readonly default_events_register_stream: string | null;
  readonly default_all_public_streams: boolean;
}

/** The fields of a bot in the API, without name and key. */
export function botFields(bot: User, directory: Directory): BotFields {
  return { avatar_url: pictureUrl(bot, bot.email), ...botDefaultFields(defaultsOf(bot), directory) };
}

/** Where an outgoing webhook bot sends requests, with the token in them; empty for others. */
export function servicesOf({ bot }: User, token: string | null): readonly object[] {
  if (bot?.service === undefined) return [];
  const { baseUrl: base_url, interface: kind } = bot.service;
  return [{ base_url, interface: kind, token: token ?? '' }];
}

/** A bot’s defaults, with the channels by their names. */
export function botDefaultFields(
  { sendingChannelId, registeringChannelId, allPublicChannels }: BotDefaults,
  directory: Directory,
): BotDefaultFields {
  return {
    default_sending_stream: channelName(directory, sendingChannelId),
    default_events_register_stream: channelName(directory, registeringChannelId),
    default_all_public_streams: allPublicChannels,
  };
}

function channelName(directory: Directory, id: number | null): string | null {
  return id === null ? null : (directory.channel(id)?.name ?? null);
}
