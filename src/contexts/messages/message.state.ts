import type { Fold } from '../../kernel/fold.js';
import type { EventOf, Recorded, RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import { streamsOf, type FoldedStream } from '../../kernel/decision.js';
import { idAtRevision } from '../../kernel/ids.js';
import { messageStream, type MessageEvent, type MessageSent, type Recipient } from '../../events/messages.js';
import { withoutReaction, type Reaction } from './reactions/reaction.js';
import { widgetTypeIn, type WidgetType } from './submessages/submessage.js';

/** A message as its own stream tells it. */
export interface Message {
  readonly id: number;
  readonly senderId: number;
  readonly recipient: Recipient;
  /** The raw Markdown. */
  readonly content: string;
  /** Id of the event that sent it: the name of its encryption key. */
  readonly key: string;
  /** Milliseconds since the UNIX epoch. */
  readonly sentAt: number;
  readonly isDeleted: boolean;
  /** How often its text was replaced. */
  readonly edits: number;
  /** Oldest first; at most `budgets.reactions.max`. */
  readonly reactions: readonly Reaction[];
  /** Its submessages, without their content, which is only in the log and in the read model. */
  readonly submessages: {
    readonly count: number;
    /** Total length of those that were attached, in UTF-16 code units. */
    readonly length: number;
    /** Whether people other than its sender may attach to it. */
    readonly isOpen: boolean;
    /** The kind of widget that it was sent as; null: none that the server knows. */
    readonly widget: WidgetType | null;
  };
}

/** Events that change a message after it was sent: those of its own stream. */
export type MessageChange = Exclude<MessageEvent, { readonly type: 'MessageSent' }>;

/** Folds one message, starting with its `MessageSent`, which is in another stream. */
export function messageFold(sent: Recorded<typeof MessageSent>): Fold<Message, RecordedEvent<MessageChange>> {
  return {
    initial: {
      id: idAtRevision(sent.revision),
      senderId: sent.data.senderId,
      recipient: sent.data.recipient,
      content: sent.data.content,
      key: sent.id,
      sentAt: sent.metadata.at,
      isDeleted: false,
      edits: 0,
      reactions: [],
      submessages: submessagesOf(sent.data),
    },
    evolve: evolveMessage,
  };
}

/** Whether a message was deleted. */
const deletionFold: Fold<boolean, RecordedEvent<MessageChange>> = {
  initial: false,
  evolve: (isDeleted, { type }) => isDeleted || type === 'MessageDeleted',
};

/**
 * The stream of a message, for decisions about it.
 *
 * @param sending looks up its `MessageSent`
 */
export function messageOf(
  messageId: number,
  sending: () => Promise<Recorded<typeof MessageSent>>,
): FoldedStream<Message, RecordedEvent<MessageChange>> {
  const initial = async (): Promise<Message> => messageFold(await sending()).initial;
  return { stream: messageStream(messageId), fold: { initial, evolve: evolveMessage } };
}

/** The stream of a message, folded only into whether it was deleted. */
export const deletionStateOf = streamsOf(messageStream, deletionFold);

function evolveMessage(message: Message, event: RecordedEvent<MessageChange>): Message {
  switch (event.type) {
    case 'MessageEdited':
      return { ...message, content: event.data.content, edits: message.edits + 1 };
    case 'MessageDeleted':
      return { ...message, isDeleted: true };
    case 'ReactionAdded':
      return { ...message, reactions: [...message.reactions, reactionOf(event.data)] };
    case 'ReactionRemoved':
      return { ...message, reactions: withoutReaction(message.reactions, event.data) };
    case 'SubmessageAttached': {
      const { userId, content } = event.data;
      const { count, length, isOpen, widget } = message.submessages;
      const opens = userId === message.senderId;
      const submessages = {
        count: count + 1,
        length: length + content.length,
        isOpen: isOpen || opens,
        widget,
      };
      return { ...message, submessages };
    }
    default:
      return unreachable(event);
  }
}

function submessagesOf(sent: EventOf<typeof MessageSent>['data']): Message['submessages'] {
  const widget = widgetTypeIn(sent);
  return { count: widget === null ? 0 : 1, length: 0, isOpen: widget !== null, widget };
}

function reactionOf({ userId, emoji }: Reaction): Reaction {
  return { userId, emoji };
}
