import type { systemBotIds } from '../../access/system-bots.js';

import type { ReadOnArrival } from '../../events/messages.js';

/** Where the notification bot says something. */
export type NoticeAddressee =
  | { readonly channelId: number; readonly topic: string }
  /** One conversation with all of them. */
  | { readonly userIds: readonly number[] };

/** Something that one of the server's bots says because of an event. */
export interface Notice {
  /** Which of the server's own bots says it; the notification bot when absent. */
  readonly from?: keyof typeof systemBotIds;
  readonly to: NoticeAddressee;
  /** Markdown, not empty. */
  readonly content: string;
  /** Id of the event that is its reason. One event causes at most one notice to each addressee. Null: somebody asked for it. */
  readonly causationId: string | null;
  /** Whose copy is read when it arrives; absent: nobody's. */
  readonly readOnArrival?: ReadOnArrival;
}

/** The voice of the server's bots; implemented by the messages context. */
export abstract class NoticeSender {
  /**
   * Sends a notice, also to an archived channel. Its command id derives from the cause and the addressee, so that asking
   * twice sends it once.
   *
   * @returns the message's id
   */
  abstract send(notice: Notice): Promise<number>;
}
