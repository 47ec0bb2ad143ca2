import type { RecordedEvent } from '../../kernel/event.js';
import type { MoveEvent } from '../../events/message-moves.js';

/** One move, whatever the number of its messages: each of them names it. */
export type MoveDocument = {
  /** `<channel id>:<revision of the event in that channel's stream>` */
  readonly _id: string;
  /** Id of the event. */
  readonly eventId: string;
  /** Of the event. */
  readonly position: number;
  readonly kind: 'move' | 'resolve' | 'unresolve';
  readonly userId: number | null;
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
  readonly channelId: number;
  /** As the request's message spelled it. */
  readonly topic: string;
  readonly newChannelId: number;
  readonly newTopic: string;
  /** Id of the edit that was asked for together with the move; null when it was asked for alone. */
  readonly editId: string | null;
  /** What it came to, in log order. */
  readonly moved: {
    readonly count: number;
    readonly firstMessageId: number;
    readonly lastMessageId: number;
  };
  /** Whether nothing that the mover can see stayed behind. */
  readonly isWhole: boolean;
  /** Whether nothing was said where they went. */
  readonly targetWasEmpty: boolean;
  /**
   * Of a mark that was put or taken away: the notice that says the opposite, if it is a minute old at most and nothing was
   * said since; it has become wrong. Null: there is none.
   */
  readonly outdatedNoticeId: number | null;
};

/** Where the event of a move stands: in the stream of that channel, at that revision. */
export function placeOfMove(id: string): { readonly channelId: number; readonly revision: number } {
  const [channelId, revision] = id.split(':').map(Number);
  return { channelId: channelId!, revision: revision! };
}

/** Names a move by where its event stands. */
export function moveDocumentId({ data, revision }: RecordedEvent<MoveEvent>): string {
  return `${data.selection.channelId}:${revision}`;
}
