import {
  alertedByParts,
  partOfAlertWord,
  partsOfText,
  type AlertWordOwners,
} from '../src/contexts/attention/alert-matching.js';
import type {
  AlertWordsAdded,
  AlertWordsRemoved,
  PersonMuted,
  PersonUnmuted,
} from '../src/events/attention.js';
import type { Recorded } from '../src/kernel/event.js';
import { foldCase } from '../src/kernel/text.js';
import { type MessageDocument } from '../src/contexts/messages/message-document.js';
import {
  type AlertWordsDocument,
  type MutersDocument,
} from '../src/contexts/messages/conversation-documents.js';
import type { BatchedHandler, Change, DocumentReference, LoadedDocuments } from './engine/projection.js';

/** The documents with all alert words that a text may contain. */
export function alertWordsFor(text: string): readonly DocumentReference[] {
  return partsOfText(text).map(partReference);
}

function partReference(part: number): DocumentReference {
  return { collection: 'alert_words', id: part };
}

/** The document that lists who mutes an account. */
export function mutersOf(userId: number): DocumentReference {
  return { collection: 'muters', id: userId };
}

/** The people for whom a message of the sender counts as read, because they mute the sender at that time. */
export function mutedBy(senderId: number, documents: LoadedDocuments): Pick<MessageDocument, 'mutedByIds'> {
  return { mutedByIds: documents.get<MutersDocument>('muters', senderId)?.userIds ?? [] };
}

/** The people with an alert word in a text, at that time; in a direct message, only participants. */
export function alerted(
  { content, participantIds }: Pick<MessageDocument, 'content' | 'participantIds'>,
  documents: LoadedDocuments,
): Pick<MessageDocument, 'alertedIds'> {
  const userIds = alertedByParts(content, (part) => alertWordOwners(documents, part));
  return { alertedIds: userIds.filter((id) => participantIds?.includes(id) ?? true) };
}

/** Stores who mutes whom. */
export const muting: BatchedHandler<Recorded<typeof PersonMuted | typeof PersonUnmuted>> = {
  reads: (event) => [mutersOf(event.data.mutedUserId)],
  apply: muted,
};

/** Stores who has which alert words. */
export const alertWordChanges: BatchedHandler<Recorded<typeof AlertWordsAdded | typeof AlertWordsRemoved>> = {
  reads: ({ data }) => [...wordsByPart(data.words).keys()].map(partReference),
  apply: worded,
};

function muted(
  { type, data }: Recorded<typeof PersonMuted | typeof PersonUnmuted>,
  documents: LoadedDocuments,
): readonly Change[] {
  const { userId, mutedUserId } = data;
  const { userIds } = documents.get<MutersDocument>('muters', mutedUserId) ?? { userIds: [] };
  const others = userIds.filter((id) => id !== userId);
  const muters = type === 'PersonMuted' ? [...others, userId].sort((a, b) => a - b) : others;
  return [{ collection: 'muters', put: { _id: mutedUserId, userIds: muters } }];
}

function worded(
  { type, data: { userId, words } }: Recorded<typeof AlertWordsAdded | typeof AlertWordsRemoved>,
  documents: LoadedDocuments,
): readonly Change[] {
  return [...wordsByPart(words)].map(([part, wordsOfPart]) => {
    const userIdsByWord = new Map(
      alertWordOwners(documents, part).map(({ word, userIds }) => [word, userIds]),
    );
    for (const word of wordsOfPart) {
      const others = (userIdsByWord.get(word) ?? []).filter((id) => id !== userId);
      const userIds = type === 'AlertWordsAdded' ? [...others, userId].sort((a, b) => a - b) : others;
      if (userIds.length === 0) userIdsByWord.delete(word);
      else userIdsByWord.set(word, userIds);
    }
    const listeners = [...userIdsByWord].map(([word, userIds]) => ({ word, userIds }));
    const document: AlertWordsDocument = { _id: part, listeners };
    return { collection: 'alert_words', put: document };
  });
}

/** Words, case folded, by the part in which they are stored. */
function wordsByPart(words: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const byPart = new Map<number, string[]>();
  for (const word of words.map(foldCase)) {
    const part = partOfAlertWord(word);
    const others = byPart.get(part);
    if (others === undefined) byPart.set(part, [word]);
    else others.push(word);
  }
  return byPart;
}

function alertWordOwners(documents: LoadedDocuments, part: number): readonly AlertWordOwners[] {
  return documents.get<AlertWordsDocument>('alert_words', part)?.listeners ?? [];
}
