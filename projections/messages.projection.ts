import { diffWordsWithSpace } from 'diff';
import { mentionedIds } from '../src/contexts/messages/mentions.js';
import {
  editDocumentId,
  htmlOf,
  messageChangeOf,
  type MessageDocument,
  type MessageEditDocument,
} from '../src/contexts/messages/message-document.js';
import { withoutReaction, type Reaction } from '../src/contexts/messages/reactions/reaction.js';
import { messagesModel } from '../src/contexts/messages/read-model.js';
import { AlertWordsAdded, AlertWordsRemoved, PersonMuted, PersonUnmuted } from '../src/events/attention.js';
import { moveEvents } from '../src/events/message-moves.js';
import {
  MessageDeleted,
  MessageEdited,
  MessageSent,
  ReactionAdded,
  ReactionRemoved,
} from '../src/events/messages.js';
import { SubmessageAttached } from '../src/events/submessages.js';
import { budgets } from '../src/kernel/budgets.js';
import { toSeconds } from '../src/kernel/clock.js';
import type { Recorded } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/event-handlers.js';
import { escapeLiteral } from '../src/markdown/html.js';
import {
  on,
  type Change,
  type DocumentReference,
  type LoadedDocuments,
  type Projection,
} from './engine/projection.js';
import { alerted, alertWordsFor, mutersOf, muting, alertWordChanges } from './message-attention.js';
import { withoutMessages } from './message-deletions.js';
import { keptHtml, mediaReads, onMedia, rendered } from './message-media.js';
import { moved } from './message-moves.js';
import { placeOf, sent } from './message-sending.js';

/**
 * Both texts in one, as HTML, with removed and inserted parts marked. The comparison takes quadratic time, so
 * texts that differ in more than the budget are shown as wholly replaced.
 */
export function markDifferences(before: string, after: string): string {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: budgets.comparedWords.max }) ?? [
    { value: after, added: true, removed: false },
    { value: before, added: false, removed: true },
  ];
  const marked = parts.map(({ value, added, removed }) => {
    const text = escapeLiteral(value);
    if (added) return `<span class="highlight_text_inserted">${text}</span>`;
    return removed ? `<span class="highlight_text_deleted">${text}</span>` : text;
  });
  return `<div><p>${marked.join('').replaceAll('\n', '<br>')}</p></div>`;
}

/** Messages and their edits, their topics and conversations, and the activity of channels. */
export const messagesProjection: Projection = {
  ...messagesModel,
  on: handlers(
    on(MessageSent, {
      reads: (event) => [
        placeOf(event),
        mutersOf(event.data.senderId),
        ...alertWordsFor(event.data.content),
        ...mediaReads(event.data),
      ],
      apply: sent,
    }),
    on(MessageEdited, {
      reads: (event) => [messageOf(event), ...alertWordsFor(event.data.content), ...mediaReads(event.data)],
      apply: edited,
    }),
    on(MessageDeleted, { applyRun: withoutMessages }),
    on(ReactionAdded, {
      reads: (event) => [messageOf(event)],
      apply: reactionAdded,
    }),
    on(ReactionRemoved, {
      reads: (event) => [messageOf(event)],
      apply: reactionRemoved,
    }),
    on(SubmessageAttached, {
      reads: (event) => [messageOf(event)],
      apply: submessageAttached,
    }),
    on([PersonMuted, PersonUnmuted], muting),
    on([AlertWordsAdded, AlertWordsRemoved], alertWordChanges),
    on(moveEvents, { applyAlone: moved }),
    onMedia,
  ),
};

function messageOf({
  data,
}: Recorded<
  typeof MessageEdited | typeof ReactionAdded | typeof ReactionRemoved | typeof SubmessageAttached
>): DocumentReference {
  return { collection: 'messages', id: data.messageId };
}

function edited(event: Recorded<typeof MessageEdited>, documents: LoadedDocuments): readonly Change[] {
  const { id, data, metadata } = event;
  const message = documents.get<MessageDocument>('messages', data.messageId);
  if (message === null) return [];
  const timestamp = toSeconds(metadata.at);
  const number = message.edits + 1;
  const edit: MessageEditDocument = {
    _id: editDocumentId(message._id, number),
    messageId: message._id,
    number,
    movesBefore: message.moves.length,
    eventId: id,
    userId: metadata.actorId,
    timestamp,
    previousContent: message.content,
    previousHtml: htmlOf(message),
    contentDifferences: markDifferences(message.content, data.content),
  };
  const { uploads: uploadIds = [] } = data.references;
  const text = rendered(data, documents);
  const replaced: MessageDocument = {
    ...message,
    ...text,
    html: keptHtml(text.html, data.content),
    hasAttachment: uploadIds.length > 0,
    uploadIds,
    changes: message.changes + 1,
    content: data.content,
    ...alerted({ content: data.content, participantIds: message.participantIds }, documents),
    mentions: data.mentions,
    mentionedIds: mentionedIds(data.mentions, message.participantIds),
    lastEditTimestamp: timestamp,
    edits: number,
  };
  return [
    { collection: 'messages', put: replaced },
    { collection: 'message_edits', put: edit },
    { collection: 'message_changes', put: messageChangeOf(event, message, 'edited') },
  ];
}

function reactionAdded(event: Recorded<typeof ReactionAdded>, documents: LoadedDocuments): readonly Change[] {
  const { userId, emoji } = event.data;
  return withReactions(event, documents, (reactions) => [...reactions, { userId, emoji }]);
}

function reactionRemoved(
  event: Recorded<typeof ReactionRemoved>,
  documents: LoadedDocuments,
): readonly Change[] {
  return withReactions(event, documents, (reactions) => withoutReaction(reactions, event.data));
}

function withReactions(
  event: Recorded<typeof ReactionAdded | typeof ReactionRemoved>,
  documents: LoadedDocuments,
  change: (reactions: readonly Reaction[]) => readonly Reaction[],
): readonly Change[] {
  const message = documents.get<MessageDocument>('messages', event.data.messageId);
  if (message === null) return [];
  const reactions = change(message.reactions);
  const hasReaction = reactions.length > 0;
  const changes = message.changes + 1;
  return [
    { collection: 'messages', put: { ...message, changes, reactions, hasReaction } },
    { collection: 'message_changes', put: messageChangeOf(event, message, 'reacted') },
  ];
}

function submessageAttached(
  event: Recorded<typeof SubmessageAttached>,
  documents: LoadedDocuments,
): readonly Change[] {
  const { messageId, ...submessage } = event.data;
  const message = documents.get<MessageDocument>('messages', messageId);
  if (message === null) return [];
  const changes = message.changes + 1;
  const submessages = [...message.submessages, submessage];
  return [
    { collection: 'messages', put: { ...message, changes, submessages } },
    { collection: 'message_changes', put: messageChangeOf(event, message, 'submessage') },
  ];
}
