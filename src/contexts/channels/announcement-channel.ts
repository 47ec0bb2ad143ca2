import type { Directory } from '../../access/directory.js';
import type { Channel } from '../../access/records/channel.js';

/** The organization's settings that name a channel in which something is announced. */
export type AnnouncementSetting = 'new_stream_announcements_stream_id' | 'signup_announcements_stream_id';

/** Where something is announced; null where the organization wants it nowhere, or the channel is archived. */
export function announcementChannel(directory: Directory, setting: AnnouncementSetting): Channel | null {
  const channel = directory.channel(directory.organization?.settings[setting] ?? -1);
  return channel?.isArchived === false ? channel : null;
}
