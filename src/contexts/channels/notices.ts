import type { Directory } from '../../access/directory.js';
import type { Channel } from '../../access/records/channel.js';
import type { systemBotIds } from '../../access/system-bots.js';
import type { ReadOnArrival } from '../../events/messages.js';

/** Where a notice is sent. */
export type NoticeAddressee =
  | { readonly channelId: number; readonly topic: string }
  /** One conversation with all of these people. */
  | { readonly userIds: readonly number[] };

/** A message that one of the server's bots sends because of an event. */
export interface Notice {
  /** The sender among the server's own bots; absent: the notification bot. */
  readonly from?: keyof typeof systemBotIds;
  readonly to: NoticeAddressee;
  /** Markdown, not empty. */
  readonly content: string;
  /**
   * Id of the person whose words the content quotes: names in it mean what they mean to this person. Absent:
   * the server's own words, which may name anybody and any channel.
   */
  readonly authorId?: number;
  /**
   * Id of the event that caused it. One event causes at most one notice of each purpose to each addressee. Null: it
   * was requested directly.
   */
  readonly causationId: string | null;
  /** Distinguishes notices that one event causes to the same addressee; absent: there is no other such notice. */
  readonly purpose?: string;
  /** Who has the notice as read when it arrives; absent: nobody. */
  readonly readOnArrival?: ReadOnArrival;
}

/** Sends messages of the server's bots; implemented by the messages context. */
export abstract class NoticeSender {
  /**
   * Sends a notice, even to an archived channel. Its command id derives from the cause, the addressee and
   * the purpose, so repeating the call sends it once.
   *
   * @returns the message's id
   */
  abstract send(notice: Notice): Promise<number>;
}

/** The organization's settings that name a channel for announcements. */
type AnnouncementSetting = 'new_stream_announcements_stream_id' | 'signup_announcements_stream_id';

/** The channel for announcements; null where the organization has none, or the channel is archived. */
export function announcementChannel(directory: Directory, setting: AnnouncementSetting): Channel | null {
  const channel = directory.channel(directory.organization?.settings[setting] ?? -1);
  return channel?.isArchived === false ? channel : null;
}
