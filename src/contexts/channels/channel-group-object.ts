import type { DefaultChannelGroup } from '../../access/records/organization.js';
import type { ChannelGroupObject } from './channels.replies.js';

/** Formats a group of default channels for the API. */
export function channelGroupObject({
  groupId,
  name,
  description,
  channelIds,
}: DefaultChannelGroup): ChannelGroupObject {
  return { id: groupId, name, description, streams: channelIds };
}
