import { DirectConversations, type BegunConversation } from '../../access/direct-conversations.js';
import { topicKey } from '../../events/values/message-text.js';
import type { Recipient } from '../../events/messages.js';
import { alertedByParts, partsOfText } from '../attention/alert-matching.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import {
  conversationKey,
  topicDocumentId,
  type AlertWordsDocument,
  type ConversationDocument,
  type TopicDocument,
} from './conversation-documents.js';
import type { MessageDocument } from './message-document.js';
import type { FoundMessage } from './narrow/compiled-narrow.js';
import { placeFields } from './narrow/message-search.js';
import { sortedIds } from '../../kernel/ids.js';

/**
 * How many of a topic's last messages are searched for people who reacted: a topic may have very many
 * messages.
 */
const REACTED_LATELY = 1000;

/** How many people's conversations are read at once. */
const PEOPLE_AT_ONCE = 500;

/** See `MessageReader.directConversations`. */
export async function directConversations(
  model: ModelStore,
  userIds: readonly number[],
): Promise<DirectConversations> {
  const collection = model.collection<ConversationDocument>('conversations');
  const found: BegunConversation[] = [];
  for (let from = 0; from < userIds.length; from += PEOPLE_AT_ONCE) {
    const filter = { participantIds: { $in: userIds.slice(from, from + PEOPLE_AT_ONCE) } };
    found.push(...(await collection.find(filter, { projection: { participantIds: 1, beganAt: 1 } })));
  }
  return DirectConversations.of(userIds, found);
}

/** The people whose alert words a text contains now, whether or not they can see a message with it. */
export async function alertedNow(model: ModelStore, text: string): Promise<readonly number[]> {
  const words = model.collection<AlertWordsDocument>('alert_words');
  const found = await words.find({ _id: { $in: [...partsOfText(text)] } });
  const byPart = new Map(found.map(({ _id, listeners }) => [_id, listeners]));
  return alertedByParts(text, (part) => byPart.get(part) ?? []);
}

/** See `MessageReader.isNewConversation`. */
export async function isNewConversation(model: ModelStore, recipient: Recipient): Promise<boolean> {
  if (recipient.type === 'direct') {
    const key = conversationKey(recipient.userIds);
    return (await model.collection<ConversationDocument>('conversations').findOne({ _id: key })) === null;
  }
  const id = topicDocumentId(recipient.channelId, topicKey(recipient.topic));
  return (await model.collection<TopicDocument>('topics').findOne({ _id: id })) === null;
}

/** See `MessageReader.participantsIn`. The model is only opened if it is needed. */
export async function participantsIn(
  model: () => Promise<ModelStore>,
  recipient: Recipient,
  text: string,
): Promise<readonly number[]> {
  if (recipient.type !== 'channel' || !text.includes('@**topic**')) return [];
  const messages = (await model()).collection<MessageDocument>('messages');
  const filter = { channelId: recipient.channelId, topicKey: topicKey(recipient.topic) };
  const [senderIds, latest] = await Promise.all([
    messages.distinct('senderId', filter),
    messages.find(filter, { sort: { _id: -1 }, limit: REACTED_LATELY, projection: { reactions: 1 } }),
  ]);
  const reactorIds = latest.flatMap(({ reactions }) => reactions.map(({ userId }) => userId));
  return sortedIds([...(senderIds as number[]), ...reactorIds]);
}

/** See `MessageReader.referencesTo`. */
export async function referencesTo(
  model: ModelStore,
  uploadIds: readonly number[],
  limit: number,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const found = new Map(uploadIds.map((id): [number, number[]] => [id, []]));
  const newest = await model
    .collection<MessageDocument>('messages')
    .find({ uploadIds: { $in: [...uploadIds] } }, { sort: { _id: -1 }, limit, projection: { uploadIds: 1 } });
  for (const message of newest.toReversed()) {
    for (const id of message.uploadIds) found.get(id)?.push(message._id);
  }
  return found;
}

/** See `MessageReader.referredTo`. */
export async function referredTo(
  model: ModelStore,
  uploadIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const messages = model.collection<MessageDocument>('messages');
  const one = { sort: { _id: -1 }, limit: 1, projection: { uploadIds: 1 } } as const;
  const found = new Set<number>();
  for (const id of uploadIds) {
    if ((await messages.find({ uploadIds: id }, one)).length > 0) found.add(id);
  }
  return found;
}

/** See `MessageReader.placesBelow`. */
export function placesBelow(
  model: ModelStore,
  { channelId, id }: { readonly channelId: number; readonly id: number },
  limit: number,
): Promise<readonly FoundMessage[]> {
  const options = { sort: { _id: -1 }, limit, projection: placeFields } as const;
  return model.collection<MessageDocument>('messages').find({ channelId, _id: { $lt: id } }, options);
}
