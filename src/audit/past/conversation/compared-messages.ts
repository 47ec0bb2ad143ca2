import type { MessageChangeDocument, MessageDocument } from '../../../contexts/messages/message-document.js';
import type { QueryDeadline } from '../../../reader-threads/query-deadline.js';
import type { ModelStore } from '../../../stores/read-store/port.js';
import { candidates } from './candidates.js';
import { presentFilter, type StoredMessage } from './conversation.js';
import type { ComparedViews } from './past-conversation-view.js';
import type { UnchangedRanges } from './unchanged-ranges.js';

/** A message that may differ between the two moments. */
export interface ComparedMessage {
  readonly message: StoredMessage;
  /** Whether it was edited or deleted, or gained or lost a reaction, between the moments. */
  readonly isChanged: boolean;
}

/** How many messages are looked up together. */
const BATCH = 200;

/** Which messages to compare. */
interface ComparedExtent {
  /** Only messages with greater ids. */
  readonly after: number;
  readonly untouched: UnchangedRanges;
}

/**
 * Yields the messages that may differ between two moments, in ascending order of ids: everything that was in the
 * conversation at either moment, without the messages that {@link countUntouched} counts and those that were visible
 * at neither.
 *
 * @throws the error of the deadline
 */
export async function* comparedMessages(
  scenes: ComparedViews,
  extent: ComparedExtent,
  deadline: QueryDeadline,
): AsyncGenerator<ComparedMessage> {
  let batch: StoredMessage[] = [];
  for await (const message of comparable(scenes, extent, deadline)) {
    batch.push(message);
    if (batch.length < BATCH) continue;
    yield* await withChanges(scenes, batch);
    batch = [];
  }
  yield* await withChanges(scenes, batch);
}

/**
 * Counts the messages that were in the conversation at both moments, that nothing has happened to since they were
 * sent, and that were visible in the same way: they need not be compared.
 *
 * @param through only messages up to this id
 */
export async function countUntouched(
  { before }: ComparedViews,
  { same }: UnchangedRanges,
  [after, through]: readonly [after: number, through: number],
): Promise<number> {
  const messages = before.model.collection<MessageDocument>('messages');
  const present = presentFilter(before.conversation);
  let count = 0;
  for (const range of same) {
    const _id = { $gt: Math.max(after, range.after), $lte: Math.min(through, range.through) };
    if (_id.$gt < _id.$lte) count += await messages.countDocuments({ ...present, _id, changes: 1 });
  }
  return count;
}

async function* comparable(
  { before, after: later }: ComparedViews,
  { after, untouched: { different, unseen } }: ComparedExtent,
  deadline: QueryDeadline,
): AsyncGenerator<StoredMessage> {
  const { conversation, model, at } = before;
  const viewerId = before.viewerId ?? later.viewerId;
  // A bot could see the messages that were given to it, whatever its other permissions.
  const given = viewerId === null ? [] : [{ filter: { givenToIds: viewerId }, ranges: unseen }];
  const untouched = [{ filter: {}, ranges: different }, ...given];
  const search = { conversation, since: at.position, from: after + 1, order: 1, untouched } as const;
  for await (const message of candidates(model, search, deadline)) {
    if (message._id > later.at.lastMessageId) return;
    yield message;
  }
}

async function withChanges(
  { before, after }: ComparedViews,
  messages: readonly StoredMessage[],
): Promise<readonly ComparedMessage[]> {
  await before.know(messages);
  await after.know(messages);
  const touched = messages.filter(({ present }) => present?.changes !== 1).map(({ _id }) => _id);
  const changed = await changedBetween(before.model, touched, [before.at.position, after.at.position]);
  return messages.map((message) => ({ message, isChanged: changed.has(message._id) }));
}

/** Which of at most a batch of messages changed after one position and up to another, apart from moves. */
async function changedBetween(
  model: ModelStore,
  messageIds: readonly number[],
  [after, through]: readonly [after: number, through: number],
): Promise<ReadonlySet<number>> {
  if (messageIds.length === 0) return new Set();
  const found = await model
    .collection<MessageChangeDocument>('message_changes')
    .find(
      { messageId: { $in: messageIds }, position: { $gt: after, $lte: through } },
      { projection: { messageId: 1 } },
    );
  return new Set(found.map(({ messageId }) => messageId));
}
