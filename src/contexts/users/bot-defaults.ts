import { hasMetadataAccess } from '../../access/channel-permissions.js';
import type { Moment } from '../../access/moment.js';
import { failure } from '../../kernel/errors.js';
import type { UserEvent } from '../../events/users.js';
import type { BotDefaults, User } from '../../access/records/user.js';

/** What is to hold for a bot where it does not say itself; null: as it was. */
export interface BotDefaultsRequest {
  /** Names of channels; empty: none. */
  readonly sendingChannel: string | null;
  readonly registeringChannel: string | null;
  readonly allPublicChannels: boolean | null;
}

interface Choice {
  readonly actor: User;
  readonly userId: number;
  /** What holds so far. */
  readonly before: BotDefaults;
  readonly request: BotDefaultsRequest;
}

/**
 * Chooses what holds for a bot where it does not say itself; no events when it is so already.
 *
 * @throws ApplicationError `invalidChannelName` for a channel that the actor may not know of, as for none
 */
export function decideBotDefaults(
  moment: Moment,
  { actor, userId, before, request }: Choice,
): readonly UserEvent[] {
  const { sendingChannel, registeringChannel, allPublicChannels } = request;
  const defaults: BotDefaults = {
    sendingChannelId:
      sendingChannel === null ? before.sendingChannelId : channelNamed(sendingChannel, moment, actor),
    registeringChannelId:
      registeringChannel === null
        ? before.registeringChannelId
        : channelNamed(registeringChannel, moment, actor),
    allPublicChannels: allPublicChannels ?? before.allPublicChannels,
  };
  return isSame(defaults, before) ? [] : [{ type: 'BotDefaultsChanged', data: { userId, ...defaults } }];
}

/** Null: none. */
function channelNamed(name: string, moment: Moment, actor: User): number | null {
  if (name === '') return null;
  const channel = moment.directory.channelByName(name);
  if (channel === null || !hasMetadataAccess(moment, actor, channel)) throw failure('invalidChannelName');
  return channel.id;
}

function isSame(wanted: BotDefaults, before: BotDefaults): boolean {
  return (
    wanted.sendingChannelId === before.sendingChannelId &&
    wanted.registeringChannelId === before.registeringChannelId &&
    wanted.allPublicChannels === before.allPublicChannels
  );
}
