import type { ReadOnArrival } from '../messages/events.js';

/** Where the notification bot says something. */
export type NoticeAddressee =
  | { readonly channelId: number; readonly topic: string }
  /** One conversation with all of them. */
  | { readonly userIds: readonly number[] };

/** Something that the notification bot says because of an event. */
export interface Notice {
  readonly to: NoticeAddressee;
  /** Markdown, not empty. */
  readonly content: string;
  /** Id of the event that is its reason. One event causes at most one notice to each addressee. */
  readonly causationId: string;
  /** Whose copy is read when it arrives; absent: nobody's. */
  readonly readOnArrival?: ReadOnArrival;
}

/** The notification bot's voice; implemented by the messages context. */
export abstract class NoticeSender {
  /**
   * Sends a notice, also to an archived channel. Its command id derives from the cause and the addressee, so that asking
   * twice sends it once.
   */
  abstract send(notice: Notice): Promise<void>;
}
