import { isEvent, type Recorded, type RecordedEvent } from '../../../kernel/event.js';
import { toSeconds } from '../../../kernel/clock.js';
import { htmlOf } from '../../../contexts/messages/message-document.js';
import { withoutReaction, type Reaction } from '../../../contexts/messages/reactions/reaction.js';
import {
  MessageEdited,
  type MessageSent,
  messageStream,
  ReactionAdded,
  ReactionRemoved,
} from '../../../events/messages.js';
import { renderMarkdown } from '../../../markdown/render.js';
import type { QueryDeadline } from '../../../reader-threads/query-deadline.js';
import type { EventLog } from '../../../stores/event-store/event-log.js';
import { pagesOfStream } from '../../../stores/event-store/port.js';
import {
  decodeReadable,
  isReadable,
  type UnreadableEvent,
} from '../../../stores/event-store/readable-events.js';
import { sendingOf } from '../../message-timeline/sent-message.js';
import type { Placement, StoredMessage } from './conversation.js';

/** A message as it was at a position of the log. */
export interface PastMessage {
  readonly id: number;
  readonly sender_id: number;
  /** When it was sent, in seconds since the UNIX epoch; null: the event that sent it cannot be read. */
  readonly timestamp: number | null;
  /** Null for direct messages. */
  readonly channel_id: number | null;
  readonly topic: string | null;
  /** Raw Markdown; null: it cannot be read. */
  readonly content: string | null;
  /** HTML of the server's renderer; null like the content. */
  readonly rendered_content: string | null;
  /** Whether the key of the text was destroyed, so that the text is a placeholder. */
  readonly erased: boolean;
  /** Seconds since the UNIX epoch; null: its text had not been edited by then. */
  readonly last_edit_timestamp: number | null;
  readonly edits: number;
  readonly moves: number;
  readonly reactions: readonly {
    readonly emoji_name: string;
    readonly emoji_code: string;
    readonly user_ids: readonly number[];
  }[];
  /** What happened to it between that position and now. */
  readonly since: { readonly edited: boolean; readonly moved: boolean; readonly deleted: boolean };
}

/** A message, its place, and the position of the log. */
interface MessageThen {
  readonly message: StoredMessage;
  readonly place: Placement;
  readonly position: number;
}

const PAGE = 500;

/** Reads messages as they were, from their own events alone. */
export class PastMessages {
  constructor(
    private readonly log: EventLog,
    private readonly deadline: QueryDeadline,
  ) {}

  /** @throws the error of the deadline */
  async read({ message, place, position }: MessageThen): Promise<PastMessage> {
    const { _id: id, senderId: sender_id, present } = message;
    const own = await this.ownEvents(message, position);
    const edits = own.flatMap((event) => (isReadable(event) && isEvent(event, MessageEdited) ? event : []));
    const last = edits.at(-1);
    const isAsNow = present !== null && present.edits === 0;
    const sent = isAsNow && (place.topic !== null || place.channelId === null) ? null : await this.sent(id);
    const text = last ?? sent;
    const content = isAsNow ? present.content : (text?.data.content ?? null);
    return {
      id,
      sender_id,
      timestamp: present?.timestamp ?? (sent === null ? null : toSeconds(sent.metadata.at)),
      channel_id: place.channelId,
      topic: place.channelId === null ? null : (place.topic ?? topicOf(sent) ?? place.topicKey),
      content,
      rendered_content: isAsNow
        ? htmlOf(present)
        : text && renderMarkdown(text.data.content, text.data.references).html,
      erased: text?.erased ?? false,
      last_edit_timestamp: last === undefined ? null : toSeconds(last.metadata.at),
      edits: edits.length,
      moves: place.moves,
      reactions: grouped(reactionsOf(own)),
      since: {
        edited: present !== null && present.edits > edits.length,
        moved: message.moves.length > place.moves,
        deleted: message.deletedAt !== null,
      },
    };
  }

  /** The events of its own stream up to that position; none are read for a message that never changed. */
  private async ownEvents(
    { _id, present, moves }: StoredMessage,
    position: number,
  ): Promise<readonly (RecordedEvent | UnreadableEvent)[]> {
    if (present !== null && present.changes - moves.length <= 1) return [];
    const events: (RecordedEvent | UnreadableEvent)[] = [];
    this.deadline.throwIfOver();
    for await (const page of pagesOfStream(this.log.store, messageStream(_id), { pageSize: PAGE })) {
      const past = page.filter((event) => event.position <= position);
      events.push(...(await decodeReadable(this.log, past)));
      if (past.length < page.length) return events;
      this.deadline.throwIfOver();
    }
    return events;
  }

  private async sent(id: number): Promise<Recorded<typeof MessageSent> | null> {
    this.deadline.throwIfOver();
    return sendingOf(this.log, id);
  }
}

function topicOf(sent: Recorded<typeof MessageSent> | null): string | null {
  return sent?.data.recipient.type === 'channel' ? sent.data.recipient.topic : null;
}

function reactionsOf(events: readonly (RecordedEvent | UnreadableEvent)[]): readonly Reaction[] {
  let reactions: readonly Reaction[] = [];
  for (const event of events) {
    if (!isReadable(event)) continue;
    if (isEvent(event, ReactionAdded)) {
      const { userId, emoji } = event.data;
      reactions = [...reactions, { userId, emoji }];
    } else if (isEvent(event, ReactionRemoved)) reactions = withoutReaction(reactions, event.data);
  }
  return reactions;
}

function grouped(reactions: readonly Reaction[]): PastMessage['reactions'] {
  const alike = new Map<string, { emoji_name: string; emoji_code: string; user_ids: number[] }>();
  for (const { userId, emoji } of reactions) {
    const known = alike.get(`${emoji.type} ${emoji.code}`);
    if (known !== undefined) known.user_ids.push(userId);
    else
      alike.set(`${emoji.type} ${emoji.code}`, {
        emoji_name: emoji.name,
        emoji_code: emoji.code,
        user_ids: [userId],
      });
  }
  return [...alike.values()];
}
