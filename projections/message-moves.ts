import { toSeconds } from '../src/kernel/clock.js';
import type { RecordedEvent } from '../src/kernel/event.js';
import type { Placement } from '../src/contexts/messages/placements.js';
import { type MessageDocument } from '../src/contexts/messages/message-document.js';
import {
  topicDocumentId,
  type ChannelActivityDocument,
  type TopicDocument,
} from '../src/contexts/messages/conversation-documents.js';
import { moveDocumentId, type MoveDocument } from '../src/contexts/messages/moves/move-documents.js';
import { targetChannelOf, type MoveEvent } from '../src/events/message-moves.js';
import { systemBotIds } from '../src/access/system-bots.js';
import { isResolvedTopic, topicKey } from '../src/events/values/message-text.js';
import type { Update } from '../src/stores/read-store/port.js';
import type { Change, ModelReader } from './engine/projection.js';
import { Selection } from './move-selection.js';
import { topicChanges, placesChanged } from './moved-topics.js';

/**
 * The changes of a move. Its selection is evaluated on the messages as they were after the previous event. The messages are changed by one
 * update, whatever their number, and the move itself is stored once.
 */
export async function moved(event: RecordedEvent<MoveEvent>, model: ModelReader): Promise<readonly Change[]> {
  const messages = model.collection<MessageDocument>('messages');
  const selection = new Selection(event.data.selection);
  const [first] = await messages.find(selection.selected, { sort: { _id: 1 }, limit: 1 });
  const [last] = await messages.find(selection.selected, { sort: { _id: -1 }, limit: 1 });
  if (first === undefined || last === undefined) return [];
  const target = await model
    .collection<TopicDocument>('topics')
    .findOne({ _id: topicDocumentId(targetChannelOf(event), topicKey(event.data.newTopic)) });
  const [latestLeft] = selection.isWhole
    ? []
    : await messages.find(selection.left, { sort: { _id: -1 }, limit: 1 });
  const [visibleLeft] = selection.isWhole ? [] : await messages.find(selection.visiblyLeft, { limit: 1 });
  const move = moveOf(event, {
    moved: {
      count: await messages.countDocuments(selection.selected),
      firstMessageId: first._id,
      lastMessageId: last._id,
    },
    isWhole: visibleLeft === undefined,
    targetWasEmpty: target === null,
    outdatedNoticeId: await outdatedNotice(event, { last, target }, model),
  });
  return [
    ...topicChanges(move, { latestLeft, target }),
    ...(await activityChanges(move, { first, last }, { selection, model })),
    { collection: 'moves', put: move },
    ...placesChanged(event, move),
    ...(await messageChanges(event, move, { selection, model })),
  ];
}

/** Up to this age, a notice that is no longer true is deleted. After that, a new notice contradicts it. */
const SECONDS_UNTIL_NOTICE_STAYS = 60;

/** The last message of a topic that is being resolved or unresolved, if it is the notice of the opposite. */
async function outdatedNotice(
  { type, metadata }: RecordedEvent<MoveEvent>,
  { last, target }: { readonly last: MessageDocument; readonly target: TopicDocument | null },
  model: ModelReader,
): Promise<number | null> {
  const opposite = oppositeMarks[type];
  const isLast = target === null || target.lastMessageId <= last._id;
  if (opposite === null || !isLast || last.senderId !== systemBotIds.notification) return null;
  if (last.causedBy === null || toSeconds(metadata.at) - last.timestamp > SECONDS_UNTIL_NOTICE_STAYS)
    return null;
  const [cause] = await model
    .collection<MoveDocument>('moves')
    .find({ eventId: last.causedBy }, { limit: 1 });
  return cause?.kind === opposite ? last._id : null;
}

const oppositeMarks = {
  MessagesMoved: null,
  TopicResolved: 'unresolve',
  TopicUnresolved: 'resolve',
} as const satisfies Record<MoveEvent['type'], MoveDocument['kind'] | null>;

const kinds = {
  MessagesMoved: 'move',
  TopicResolved: 'resolve',
  TopicUnresolved: 'unresolve',
} as const satisfies Record<MoveEvent['type'], MoveDocument['kind']>;

interface MovedMessages {
  readonly selection: Selection;
  readonly model: ModelReader;
}

/**
 * The updates of the moved messages: a single one; if they move to another channel, one for each placement by which
 * they had come to the present one.
 */
async function messageChanges(
  event: RecordedEvent<MoveEvent>,
  move: MoveDocument,
  { selection, model }: MovedMessages,
): Promise<readonly Change[]> {
  const { selected } = selection;
  const update = updateOf(event, move);
  const newChannel = event.type === 'MessagesMoved' ? event.data.newChannel : null;
  if (newChannel === null) return [{ collection: 'messages', updateMany: { filter: selected, update } }];
  const { channelId, reception } = newChannel;
  const [latest] = await model.collection<Placement>('arrivals').find({}, { sort: { _id: -1 }, limit: 1 });
  const earlier = await model.collection<MessageDocument>('messages').distinct('arrival', selected);
  return earlier.flatMap((previous, index): Change[] => {
    const arrival: Placement = {
      _id: (latest?._id ?? 0) + index + 1,
      previous: Number(previous),
      previousChannelId: move.channelId,
      channelId,
      reception,
    };
    const place = { channelId, recipientId: channelId * 2, arrival: arrival._id };
    return [
      { collection: 'arrivals', put: arrival },
      {
        collection: 'messages',
        updateMany: {
          filter: { $and: [selected, { arrival: arrival.previous }] },
          update: { ...update, $set: { ...update.$set, ...place } },
        },
      },
    ];
  });
}

interface Ends {
  readonly first: MessageDocument;
  readonly last: MessageDocument;
}

/**
 * Updates the id of the first message of both channels, and the time of the last message of the new one. The numbers of
 * messages per day do not change.
 */
async function activityChanges(
  { channelId, newChannelId }: MoveDocument,
  { first, last }: Ends,
  { selection, model }: MovedMessages,
): Promise<readonly Change[]> {
  if (channelId === newChannelId) return [];
  const activities = model.collection<ChannelActivityDocument>('channel_activity');
  const messages = model.collection<MessageDocument>('messages');
  const changes: Change[] = [];
  const left = await activities.findOne({ _id: channelId });
  if (left?.firstMessageId === first._id) {
    const filter = { channelId, $nor: [selection.selected] };
    const [next] = await messages.find(filter, { sort: { _id: 1 }, limit: 1 });
    changes.push({ collection: 'channel_activity', put: { ...left, firstMessageId: next?._id ?? null } });
  }
  const joined = await activities.findOne({ _id: newChannelId });
  const put: ChannelActivityDocument = {
    _id: newChannelId,
    firstMessageId: Math.min(joined?.firstMessageId ?? first._id, first._id),
    lastMessageAt: Math.max(joined?.lastMessageAt ?? last.timestamp, last.timestamp),
    perDay: joined?.perDay ?? {},
  };
  return [...changes, { collection: 'channel_activity', put }];
}

function moveOf(
  event: RecordedEvent<MoveEvent>,
  outcome: Pick<MoveDocument, 'moved' | 'isWhole' | 'targetWasEmpty' | 'outdatedNoticeId'>,
): MoveDocument {
  const { id, type, data, metadata } = event;
  const { channelId, topic } = data.selection;
  return {
    _id: moveDocumentId(event),
    eventId: id,
    position: event.position,
    kind: kinds[type],
    userId: metadata.actorId,
    timestamp: toSeconds(metadata.at),
    channelId,
    topic,
    newChannelId: targetChannelOf(event),
    newTopic: data.newTopic,
    editId: metadata.causationId,
    ...outcome,
  };
}

function updateOf({ type }: RecordedEvent<MoveEvent>, move: MoveDocument): Update {
  const { _id, newTopic, timestamp } = move;
  const isSameTopic = move.channelId === move.newChannelId && topicKey(move.topic) === topicKey(newTopic);
  const isTrivial = type !== 'MessagesMoved' || isSameTopic;
  return {
    $set: {
      topic: newTopic,
      topicKey: topicKey(newTopic),
      isResolved: isResolvedTopic(newTopic),
      ...(!isTrivial && { lastMovedTimestamp: timestamp }),
    },
    $inc: { changes: 1 },
    $push: { moves: _id },
  };
}
