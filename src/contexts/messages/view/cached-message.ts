import { htmlOf, type MessageDocument } from '../message-document.js';
import type { Reaction } from '../reactions/reaction.js';
import type { Submessage } from '../submessages/submessage.js';
import { jsonMembersOf } from '../../../kernel/json.js';

/** A message with the part of its JSON that is the same for every reader, as text. */
export interface CachedMessage {
  readonly document: MessageDocument;
  /** The members that depend neither on the reader nor on names that may change, without braces. */
  readonly common: string;
  readonly html: string;
  readonly markdown: string;
  /** Rough size in memory, in bytes. */
  readonly size: number;
}

/** Makes the cached form of a message. */
export function cacheMessage(document: MessageDocument): CachedMessage {
  const common = commonMembers(document, reactionMember);
  const html = `"content":${JSON.stringify(htmlOf(document))},"content_type":"text/html"`;
  const markdown = `"content":${JSON.stringify(document.content)},"content_type":"text/x-markdown"`;
  // Bytes of its document, its texts, and the JSON text that was last made of it.
  const size = 5 * (common.length + html.length + markdown.length);
  return { document, common, html, markdown, size };
}

/** Makes the JSON of a reaction. */
type ToMember = (reaction: Reaction) => object;

/** The members of {@link CachedMessage.common}, with the reactions in the form that is given. */
export function commonMembers(document: MessageDocument, toMember: ToMember): string {
  const members = {
    id: document._id,
    sender_id: document.senderId,
    recipient_id: document.recipientId,
    timestamp: document.timestamp,
    client: document.client,
    is_me_message: document.isMeMessage,
    reactions: document.reactions.map(toMember),
    submessages: document.submessages.map((submessage) => submessageMember(document._id, submessage)),
    ...(document.channelId === null
      ? { type: 'private' }
      : { type: 'stream', stream_id: document.channelId }),
    ...(document.lastEditTimestamp !== null && { last_edit_timestamp: document.lastEditTimestamp }),
    ...(document.lastMovedTimestamp !== null && { last_moved_timestamp: document.lastMovedTimestamp }),
  };
  return jsonMembersOf(members);
}

/** A reaction as the API has it. */
export function reactionMember({ userId, emoji: { name, code, type } }: Reaction): object {
  return { emoji_name: name, emoji_code: code, reaction_type: type, user_id: userId };
}

function submessageMember(messageId: number, { submessageId, userId, kind, content }: Submessage): object {
  return { id: submessageId, message_id: messageId, sender_id: userId, msg_type: kind, content };
}
