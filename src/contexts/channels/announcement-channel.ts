import type { Directory } from '../../access/directory.js';
import type { Channel } from '../../access/records/channel.js';

/** The organization's settings that name a channel for announcements. */
export type AnnouncementSetting = 'new_stream_announcements_stream_id' | 'signup_announcements_stream_id';

/** The channel for announcements; null where the organization has none, or the channel is archived. */
export function announcementChannel(directory: Directory, setting: AnnouncementSetting): Channel | null {
  const channel = directory.channel(directory.organization?.settings[setting] ?? -1);
  return channel?.isArchived === false ? channel : null;
}
