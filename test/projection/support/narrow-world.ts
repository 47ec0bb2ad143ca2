import { messageDefaults, type MessageDocument } from '../../../src/contexts/messages/message-document.js';
import {
  conversationKey,
  topicDocumentOf,
  type ConversationDocument,
} from '../../../src/contexts/messages/conversation-documents.js';
import type { Random } from '../../bench/large/random.js';
import type { Keyed, ModelBatch } from '../../../src/stores/read-store/port.js';

/** What messages have or lack, whatever else they are. */
export const features = [
  'hasLink',
  'hasImage',
  'hasAttachment',
  'hasReaction',
  'mentioned',
  'alerted',
  'resolved',
] as const;

export type Feature = (typeof features)[number];

/**
 * Which features nearly all messages of a world have, those of the others being rare: for any two features there is a world where the
 * one is common and the other rare.
 */
export const worlds: readonly (readonly Feature[])[] = [
  ['hasLink', 'hasImage', 'hasAttachment', 'hasReaction'],
  ['hasLink', 'mentioned', 'alerted', 'resolved'],
  ['hasImage', 'mentioned'],
  ['hasAttachment', 'alerted'],
  ['hasReaction', 'resolved'],
];

/** Whoever asks, whom most is written by and to, whom little is, and who writes what is neither. */
export const people = { me: 1, busy: 2, quiet: 3, another: 4 } as const;

/** Channels by how much is in them. */
export const channels = { busy: 1, quiet: 2, other: 3 } as const;

/** Ids up to this one are those of rare messages, the oldest; others lie at the end. */
export const lastRareId = 200;

const direct = (...others: readonly number[]): Partial<MessageDocument> => {
  const participantIds = [people.me, ...others];
  return {
    participantIds,
    conversation: conversationKey(participantIds),
    isGroupConversation: others.length > 1,
  };
};

const inTopic = (channelId: number, topic: string): Partial<MessageDocument> => ({
  channelId,
  topic,
  topicKey: topic,
});

/** What is rare, a kind of message each; none is as most messages are in any way. */
const rareKinds: readonly Partial<MessageDocument>[] = [
  inTopic(channels.quiet, 'a'),
  inTopic(channels.other, 'rare'),
  inTopic(channels.other, 'followed'),
  inTopic(channels.other, 'muted'),
  inTopic(channels.other, 'starred, unread'),
  { ...inTopic(channels.other, 'a'), senderId: people.quiet },
  { ...inTopic(channels.other, 'a'), ...mentioning(people.quiet) },
  { ...inTopic(channels.other, 'a'), content: 'A weaving loom' },
  direct(people.quiet),
  direct(people.busy, people.quiet),
];

function mentioning(...userIds: number[]): Pick<MessageDocument, 'mentions' | 'mentionedIds'> {
  return { mentions: { ...messageDefaults.mentions, userIds }, mentionedIds: userIds };
}

/** What makes a message have some features, beside whom it mentions. */
function having(
  some: readonly Feature[],
  place: Partial<MessageDocument>,
  mentioned: readonly number[] = [],
): Partial<MessageDocument> {
  const has = (feature: Feature): boolean => some.includes(feature);
  return {
    ...place,
    ...mentioning(...(has('mentioned') ? [people.me] : []), ...mentioned),
    hasLink: has('hasLink'),
    hasImage: has('hasImage'),
    hasAttachment: has('hasAttachment'),
    hasReaction: has('hasReaction'),
    alertedIds: has('alerted') ? [people.me] : [],
    isResolved: has('resolved') && typeof place.channelId === 'number',
  };
}

/** The messages of a world: what is rare in it, and as many others as are wanted, which are all alike. */
export function messagesOf(common: readonly Feature[], count: number): readonly MessageDocument[] {
  const rareFeatures = features.filter((feature) => !common.includes(feature));
  const rare = [
    ...rareKinds,
    ...rareFeatures.flatMap((feature) => [
      having([feature], inTopic(channels.other, 'a')),
      having([feature], direct(people.another)),
    ]),
  ];
  const max = [
    having(common, inTopic(channels.busy, 'common'), [people.busy]),
    having(common, direct(people.busy), [people.busy]),
  ];
  const base = { ...messageDefaults, recipientId: 1, timestamp: 0 };
  return [
    ...rare.flatMap((kind, at) =>
      [1, 2, 3, lastRareId + count + 1].map((number) => ({
        ...base,
        _id: at * 5 + number,
        senderId: people.another,
        content: 'A difference',
        ...kind,
      })),
    ),
    ...Array.from({ length: count }, (_, at) => ({
      ...base,
      _id: lastRareId + at + 1,
      senderId: people.busy,
      content: 'An analytical engine',
      ...max[at % 2],
    })),
  ];
}

/** Messages that are each of some kind, with any features, in no order. */
export function mixedMessages(random: Random, count: number): readonly MessageDocument[] {
  const chances = features.map((feature) => [feature, random.fraction() ** 3] as const);
  const places = [
    inTopic(channels.busy, 'common'),
    inTopic(channels.quiet, 'rare'),
    ...['common', 'rare', 'followed', 'muted', 'followed loom'].map((topic) =>
      inTopic(channels.other, topic),
    ),
    direct(people.busy),
    direct(people.quiet),
    direct(people.busy, people.quiet),
  ];
  const words = ['analytical', 'engine', 'weaving', 'loom', 'difference', 'common', 'followed'];
  const everybody = Object.values(people);
  return Array.from({ length: count }, (_, at) => ({
    ...messageDefaults,
    recipientId: 1,
    timestamp: 0,
    _id: at + 1,
    ...having(
      chances.flatMap(([feature, chance]) => (random.happens(chance) ? [feature] : [])),
      places[random.skewedBelow(places.length)]!,
      everybody.filter((id) => id !== people.me && random.happens(0.1)),
    ),
    senderId: everybody[random.skewedBelow(everybody.length)]!,
    content: Array.from({ length: 3 }, () => words[random.skewedBelow(words.length)]).join(' '),
  }));
}

/** Puts messages, with their topics and conversations, into a model. */
export function batchOf(messages: readonly MessageDocument[]): ModelBatch {
  const beside = new Map<string, { readonly collection: string; readonly document: Keyed }>();
  for (const { _id: lastMessageId, channelId, topic, conversation, participantIds } of messages) {
    if (channelId !== null) {
      const document = topicDocumentOf({ channelId, name: topic ?? '', lastMessageId });
      beside.set(document._id, { collection: 'topics', document });
    } else {
      const document: ConversationDocument = {
        _id: conversation ?? '',
        participantIds: participantIds ?? [],
        recipientId: 1,
        beganAt: lastMessageId,
        lastMessageId,
      };
      beside.set(document._id, { collection: 'conversations', document });
    }
  }
  const all = [...beside.values(), ...messages.map((document) => ({ collection: 'messages', document }))];
  return {
    writes: all.map(({ collection, document }) => ({
      collection,
      write: { replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } },
    })),
    checkpoint: { position: 1 },
    fencingToken: 1,
  };
}
