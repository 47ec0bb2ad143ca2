import { alertedBy, type WordListeners } from '../src/attention/alert-matching.js';
import type {
  AlertWordsAdded,
  AlertWordsRemoved,
  PersonMuted,
  PersonUnmuted,
} from '../src/attention/events.js';
import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import { foldCase } from '../src/kernel/fold-case.js';
import {
  alertWordsDocumentId,
  type AlertWordsDocument,
  type MessageDocument,
  type MutersDocument,
} from '../src/messages/message-document.js';
import type { BatchedHandler, Change, DocumentReference, LoadedDocuments } from './engine/projection.js';

type Muting = RecordedEvent<EventOf<typeof PersonMuted> | EventOf<typeof PersonUnmuted>>;
type Wording = RecordedEvent<EventOf<typeof AlertWordsAdded> | EventOf<typeof AlertWordsRemoved>>;

/** The document that decides who is alerted to a text. */
export const alertWords: DocumentReference = { collection: 'alert_words', id: alertWordsDocumentId };

/** Who mutes somebody. */
export function mutersOf(userId: number): DocumentReference {
  return { collection: 'muters', id: userId };
}

/** Whom a message of the sender reaches as read, as of now. */
export function mutedBy(senderId: number, documents: LoadedDocuments): Pick<MessageDocument, 'mutedByIds'> {
  return { mutedByIds: documents.get<MutersDocument>('muters', senderId)?.userIds ?? [] };
}

/** Whose alert words a text holds, as of now. */
export function alerted(content: string, documents: LoadedDocuments): Pick<MessageDocument, 'alertedIds'> {
  return { alertedIds: alertedBy(content, listenersIn(documents)) };
}

/** Keeps who mutes whom. */
export const muting: BatchedHandler = {
  reads: (event) => [mutersOf((event as Muting).data.mutedUserId)],
  apply: (event, documents) => muted(event as Muting, documents),
};

/** Keeps who listens for which words. */
export const wording: BatchedHandler = {
  reads: () => [alertWords],
  apply: (event, documents) => worded(event as Wording, documents),
};

function muted({ type, data }: Muting, documents: LoadedDocuments): readonly Change[] {
  const { userId, mutedUserId } = data;
  const { userIds } = documents.get<MutersDocument>('muters', mutedUserId) ?? { userIds: [] };
  const others = userIds.filter((id) => id !== userId);
  const muters = type === 'PersonMuted' ? [...others, userId].sort((a, b) => a - b) : others;
  return [{ collection: 'muters', put: { _id: mutedUserId, userIds: muters } }];
}

function worded({ type, data: { userId, words } }: Wording, documents: LoadedDocuments): readonly Change[] {
  const userIdsByWord = new Map(listenersIn(documents).map(({ word, userIds }) => [word, userIds]));
  for (const word of words.map(foldCase)) {
    const others = (userIdsByWord.get(word) ?? []).filter((id) => id !== userId);
    const userIds = type === 'AlertWordsAdded' ? [...others, userId].sort((a, b) => a - b) : others;
    if (userIds.length === 0) userIdsByWord.delete(word);
    else userIdsByWord.set(word, userIds);
  }
  const listeners = [...userIdsByWord].map(([word, userIds]) => ({ word, userIds }));
  return [{ collection: 'alert_words', put: { _id: alertWordsDocumentId, listeners } }];
}

function listenersIn(documents: LoadedDocuments): readonly WordListeners[] {
  return documents.get<AlertWordsDocument>('alert_words', alertWordsDocumentId)?.listeners ?? [];
}
