import type { DefaultChannelGroup } from '../../access/records/organization.js';
import type { ChannelGroupObject } from './channels.replies.js';

/** Channels that new people may choose together, in the words of the API. */
export function channelGroupObject({
  groupId,
  name,
  description,
  channelIds,
}: DefaultChannelGroup): ChannelGroupObject {
  return { id: groupId, name, description, streams: channelIds };
}
