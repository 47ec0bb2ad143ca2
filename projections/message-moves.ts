import { toSeconds } from '../src/kernel/clock.js';
import type { RecordedEvent } from '../src/kernel/event.js';
import {
  topicDocumentId,
  type MessageDocument,
  type TopicDocument,
} from '../src/messages/message-document.js';
import type { MoveDocument } from '../src/messages/move-documents.js';
import type { MoveEvent, MoveSelection } from '../src/messages/move-events.js';
import { isResolvedTopic, topicKey } from '../src/messages/text.js';
import type { Filter, Update } from '../src/read-store/port.js';
import type { Change, ModelReader } from './engine/projection.js';

/**
 * What a move makes of the model: its selection is evaluated on the messages as the events before it left them. The
 * messages change by one update, whatever their number, and what the move was stands once.
 */
export async function moved(event: RecordedEvent<MoveEvent>, model: ModelReader): Promise<readonly Change[]> {
  const messages = model.collection<MessageDocument>('messages');
  const selection = new Selection(event.data.selection);
  const [first] = await messages.find(selection.selected, { sort: { _id: 1 }, limit: 1 });
  const [last] = await messages.find(selection.selected, { sort: { _id: -1 }, limit: 1 });
  if (first === undefined || last === undefined) return [];
  const target = await model
    .collection<TopicDocument>('topics')
    .findOne({ _id: topicDocumentId(selection.channelId, topicKey(event.data.newTopic)) });
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
  });
  return [
    ...topicChanges(move, { latestLeft, target }),
    { collection: 'moves', put: move },
    { collection: 'messages', updateMany: { filter: selection.selected, update: updateOf(event, move) } },
  ];
}

/** Filters that say of a topic's messages which move and which stay. */
class Selection {
  readonly channelId: number;
  readonly selected: Filter;
  /** Whether nothing can stay behind. */
  readonly isWhole: boolean;
  private readonly topic: Filter;

  constructor(private readonly selection: MoveSelection) {
    const { channelId, topic, bounds, visible } = selection;
    this.channelId = channelId;
    this.topic = { channelId, topicKey: topicKey(topic) };
    this.selected = { $and: [this.visible, within(bounds)] };
    this.isWhole = visible === null && bounds.after === 0 && bounds.through === null;
  }

  /** What of the topic stays. */
  get left(): Filter {
    const { bounds, visible } = this.selection;
    const outside = visible === null ? [] : [{ $nor: [anyOf(visible)] }];
    return { $and: [this.topic, { $or: [...complement(bounds), ...outside] }] };
  }

  /** What of the topic stays that the mover can see. */
  get visiblyLeft(): Filter {
    return { $and: [this.visible, anyFilter(complement(this.selection.bounds))] };
  }

  private get visible(): Filter {
    const { visible } = this.selection;
    return visible === null ? this.topic : { $and: [this.topic, anyOf(visible)] };
  }
}

type Stretch = MoveSelection['bounds'];

/** No message has this id: a filter that nothing passes. */
const nothing: Filter = { _id: 0 };

function within({ after, through }: Stretch): Filter {
  return { _id: { $gt: after, ...(through !== null && { $lte: through }) } };
}

function complement({ after, through }: Stretch): readonly Filter[] {
  return [{ _id: { $lte: after } }, ...(through === null ? [] : [{ _id: { $gt: through } }])];
}

function anyOf(stretches: readonly Stretch[]): Filter {
  return anyFilter(stretches.map(within));
}

function anyFilter(filters: readonly Filter[]): Filter {
  return filters.length === 0 ? nothing : { $or: filters };
}

function moveOf(
  { revision, data, metadata }: RecordedEvent<MoveEvent>,
  outcome: Pick<MoveDocument, 'moved' | 'isWhole' | 'targetWasEmpty'>,
): MoveDocument {
  const { channelId, topic } = data.selection;
  return {
    _id: `${channelId}:${revision}`,
    userId: metadata.actorId,
    timestamp: toSeconds(metadata.at),
    channelId,
    topic,
    newChannelId: channelId,
    newTopic: data.newTopic,
    editId: metadata.causationId,
    ...outcome,
  };
}

function updateOf({ type }: RecordedEvent<MoveEvent>, move: MoveDocument): Update {
  const { _id, newTopic, timestamp } = move;
  const isTrivial = type !== 'MessagesMoved' || topicKey(move.topic) === topicKey(newTopic);
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

interface TopicsBefore {
  /** The latest message that stays in the old topic. */
  readonly latestLeft: MessageDocument | undefined;
  readonly target: TopicDocument | null;
}

/** Topics end at their latest message and are named as it spells them; one without messages is gone. */
function topicChanges(move: MoveDocument, { latestLeft, target }: TopicsBefore): readonly Change[] {
  const [oldKey, newKey] = [topicKey(move.topic), topicKey(move.newTopic)];
  const oldId = topicDocumentId(move.channelId, oldKey);
  const newId = topicDocumentId(move.newChannelId, newKey);
  const arrived: TopicDocument = {
    _id: newId,
    channelId: move.newChannelId,
    topicKey: newKey,
    name: move.newTopic,
    lastMessageId: move.moved.lastMessageId,
  };
  const isLatest = target === null || target.lastMessageId <= arrived.lastMessageId;
  const arrival: Change[] = isLatest ? [{ collection: 'topics', put: arrived }] : [];
  if (oldId === newId) return arrival;
  const departure: Change =
    latestLeft === undefined
      ? { collection: 'topics', remove: oldId }
      : {
          collection: 'topics',
          put: {
            _id: oldId,
            channelId: move.channelId,
            topicKey: oldKey,
            name: latestLeft.topic ?? '',
            lastMessageId: latestLeft._id,
          },
        };
  return [departure, ...arrival];
}
