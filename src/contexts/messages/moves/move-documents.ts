import type { RecordedEvent } from '../../../kernel/event.js';
import type { MoveEvent } from '../../../events/message-moves.js';

/** One move, stored once whatever the number of its messages: each of them names it. */
export type MoveDocument = {
  /** `<channel id>:<revision of the event in that channel's stream>` */
  readonly _id: string;
  /** Id of the event. */
  readonly eventId: string;
  /** Log position of the event. */
  readonly position: number;
  readonly kind: 'move' | 'resolve' | 'unresolve';
  readonly userId: number | null;
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
  readonly channelId: number;
  /** Spelled as in the message that the request named. */
  readonly topic: string;
  readonly newChannelId: number;
  readonly newTopic: string;
  /** Id of the edit that was requested together with the move; null when the move was requested alone. */
  readonly editId: string | null;
  /** The outcome: the number of moved messages, and the first and the last of them in log order. */
  readonly moved: {
    readonly count: number;
    readonly firstMessageId: number;
    readonly lastMessageId: number;
  };
  /** Whether no message that the mover can see stayed behind. */
  readonly isWhole: boolean;
  /** Whether no message existed where they went. */
  readonly targetWasEmpty: boolean;
  /**
   * For resolving or unresolving a topic: id of the notice that says the opposite, if it is at most a minute
   * old and nothing was said since, so that it is wrong now. Null: there is none.
   */
  readonly outdatedNoticeId: number | null;
};

/** The channel in whose stream the event of a move is, and its revision there. */
export function placeOfMove(id: string): { readonly channelId: number; readonly revision: number } {
  const [channelId, revision] = id.split(':').map(Number);
  return { channelId: channelId!, revision: revision! };
}

/** The id of a move's document, which follows from the stream and revision of its event. */
export function moveDocumentId({ data, revision }: RecordedEvent<MoveEvent>): string {
  return `${data.selection.channelId}:${revision}`;
}
