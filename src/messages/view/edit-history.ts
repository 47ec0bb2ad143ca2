import type { ModelStore } from '../../read-store/port.js';
import type { MessageDocument, MessageEditDocument } from '../message-document.js';

/** What was replaced in each of these messages, oldest first. */
export type EditsByMessage = ReadonlyMap<number, readonly MessageEditDocument[]>;

/** Reads the edits of all these messages at once. */
export async function readEdits(
  model: ModelStore,
  messages: readonly MessageDocument[],
): Promise<EditsByMessage> {
  const edited = messages.filter(({ edits }) => edits > 0);
  if (edited.length === 0) return new Map();
  const documents = await model
    .collection<MessageEditDocument>('message_edits')
    .find({ messageId: { $in: edited.map(({ _id }) => _id) } }, { sort: { messageId: 1, number: 1 } });
  const byMessage = new Map(edited.map(({ _id }): [number, MessageEditDocument[]] => [_id, []]));
  for (const edit of documents) byMessage.get(edit.messageId)?.push(edit);
  return byMessage;
}

/** The member `edit_history` of a message, newest first (specification, "Message"). */
export function editHistoryMember(edits: readonly MessageEditDocument[]): readonly object[] {
  return edits.toReversed().map(({ userId, timestamp, previousContent, previousHtml }) => ({
    user_id: userId,
    timestamp,
    prev_content: previousContent,
    prev_rendered_content: previousHtml,
  }));
}
