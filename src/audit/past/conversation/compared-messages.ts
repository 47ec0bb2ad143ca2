import type { MessageChangeDocument, MessageDocument } from '../../../contexts/messages/message-document.js';
import type { QueryDeadline } from '../../../reader-threads/query-deadline.js';
import type { ModelStore } from '../../../stores/read-store/port.js';
import { candidates } from './candidates.js';
import { presentFilter, type StoredMessage } from './conversation.js';
import type { PastScene } from './past-scene.js';

/** One conversation at two moments, by the same eyes. */
export interface ComparedScenes {
  readonly before: PastScene;
  readonly after: PastScene;
}

/** A message that may differ between the two moments. */
export interface ComparedMessage {
  readonly message: StoredMessage;
  /** Whether it was edited or deleted, or got or lost a reaction, between them. */
  readonly isChanged: boolean;
}

/** So many messages are looked at together. */
const BATCH = 200;

/**
 * The messages that may differ between two moments, by their ids, rising: everything that lay in the conversation at either, but for what
 * {@link countUntouched} counts.
 *
 * @param after only messages with greater ids
 * @throws what the deadline ends it with
 */
export async function* comparedMessages(
  scenes: ComparedScenes,
  after: number,
  deadline: QueryDeadline,
): AsyncGenerator<ComparedMessage> {
  let batch: StoredMessage[] = [];
  for await (const message of comparable(scenes, after, deadline)) {
    batch.push(message);
    if (batch.length < BATCH) continue;
    yield* await withChanges(scenes, batch);
    batch = [];
  }
  yield* await withChanges(scenes, batch);
}

/**
 * How many messages lay in the conversation at both moments to which nothing ever happened since they were sent: who lets everybody see
 * everything need not look at them. By somebody's eyes permissions count, and each is looked at: it is 0.
 *
 * @param through only messages up to this id
 */
export async function countUntouched(
  { before }: ComparedScenes,
  [after, through]: readonly [after: number, through: number],
): Promise<number> {
  if (before.viewer !== null) return 0;
  const _id = { $gt: after, $lte: Math.min(through, before.at.lastMessageId) };
  const messages = before.model.collection<MessageDocument>('messages');
  return messages.countDocuments({ ...presentFilter(before.conversation), _id, changes: 1 });
}

async function* comparable(
  { before, after: later }: ComparedScenes,
  after: number,
  deadline: QueryDeadline,
): AsyncGenerator<StoredMessage> {
  const { conversation, model, at, viewer } = before;
  const changedThrough = viewer === null ? at.lastMessageId : 0;
  const search = { conversation, since: at.position, from: after + 1, order: 1, changedThrough } as const;
  for await (const message of candidates(model, search, deadline)) {
    if (message._id > later.at.lastMessageId) return;
    yield message;
  }
}

async function withChanges(
  { before, after }: ComparedScenes,
  messages: readonly StoredMessage[],
): Promise<readonly ComparedMessage[]> {
  await before.know(messages);
  await after.know(messages);
  const touched = messages.filter(({ present }) => present?.changes !== 1).map(({ _id }) => _id);
  const changed = await changedBetween(before.model, touched, [before.at.position, after.at.position]);
  return messages.map((message) => ({ message, isChanged: changed.has(message._id) }));
}

/**
 * Those of some messages, at most a batch, that were edited or deleted, or got or lost something, after one position and up to another;
 * moves are not among it.
 */
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
