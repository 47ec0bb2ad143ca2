import type { Fold } from '../../kernel/decider.js';
import type { EventOf, Recorded, RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import type { FoldedStream } from '../../kernel/decision.js';
import { streamsOf } from '../../kernel/stream.js';
import { messageStream, type MessageEvent, type MessageSent, type Recipient } from '../../events/messages.js';
import { withoutReaction, type Reaction } from './reaction.js';
import { widgetTypeIn, type WidgetType } from './submessages/widget.js';

/** A message as its own events tell it. */
export interface Message {
  readonly id: number;
  readonly senderId: number;
  readonly recipient: Recipient;
  /** The raw Markdown. */
  readonly content: string;
  /** Id of the event that sent it: the name of its key. */
  readonly key: string;
  /** Milliseconds since the UNIX epoch. */
  readonly sentAt: number;
  readonly isDeleted: boolean;
  /** How often its text was replaced. */
  readonly edits: number;
  /** Oldest first; at most `budgets.reactions.max`. */
  readonly reactions: readonly Reaction[];
  /** What is attached to it; what that says is only in the log and in the read model. */
  readonly submessages: {
    readonly count: number;
    /** Whether others than its sender may attach something. */
    readonly isOpen: boolean;
    /** The small program that it was sent as; null for none that the server knows. */
    readonly widget: WidgetType | null;
  };
}

/** What happens to a message after it was sent: the events of its own stream. */
export type MessageChange = Exclude<MessageEvent, { readonly type: 'MessageSent' }>;

/** A message's id follows from where its sending stands in the stream `messages`. */
function messageIdOf(event: Extract<RecordedEvent<MessageEvent>, { type: 'MessageSent' }>): number {
  return event.revision + 1;
}

/** How one message evolves; it begins with its sending, which stands in another stream. */
export function messageFold(sent: Recorded<typeof MessageSent>): Fold<Message, RecordedEvent<MessageChange>> {
  return {
    initial: {
      id: messageIdOf(sent),
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

/** Whether a message was deleted, for whoever needs to know no more of it. */
export const deletionFold: Fold<boolean, RecordedEvent<MessageChange>> = {
  initial: false,
  evolve: (isDeleted, { type }) => isDeleted || type === 'MessageDeleted',
};

/**
 * The stream of a message, for decisions about it.
 *
 * @param sending looks up how it was sent
 */
export function messageOf(
  messageId: number,
  sending: () => Promise<Recorded<typeof MessageSent>>,
): FoldedStream<Message, RecordedEvent<MessageChange>> {
  const initial = async (): Promise<Message> => messageFold(await sending()).initial;
  return { stream: messageStream(messageId), fold: { initial, evolve: evolveMessage } };
}

/** Whether a message was deleted, for decisions that depend on nothing else of it. */
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
      const { count, isOpen, widget } = message.submessages;
      const opens = event.data.userId === message.senderId;
      return { ...message, submessages: { count: count + 1, isOpen: isOpen || opens, widget } };
    }
    default:
      return unreachable(event);
  }
}

function submessagesOf(sent: EventOf<typeof MessageSent>['data']): Message['submessages'] {
  const widget = widgetTypeIn(sent);
  return { count: widget === null ? 0 : 1, isOpen: widget !== null, widget };
}

function reactionOf({ userId, emoji }: Reaction): Reaction {
  return { userId, emoji };
}
