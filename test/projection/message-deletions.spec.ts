import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { GuardedModelWriter } from '../../projections/engine/guarded-model-writer.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { withoutMessages } from '../../projections/message-deletions.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import type { ExpectedRevision } from '../../src/stores/event-store/port.js';
import type { DeletionDocument, MessageDocument } from '../../src/contexts/messages/message-document.js';
import type {
  ChannelActivityDocument,
  TopicDocument,
} from '../../src/contexts/messages/conversation-documents.js';
import { MessageDeleted, type MessageEvent } from '../../src/events/messages.js';
import { isEvent } from '../../src/kernel/event.js';
import { journalName, type Keyed } from '../../src/stores/read-store/port.js';
import { rebuildModel } from '../support/rebuild-model.js';
import { metadataOf } from '../support/given.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

import { MemoryModel } from './support/memory-model.js';

let stores: TemporaryStores;

beforeEach(async () => {
  stores = await openTemporaryStores();
});
afterEach(() => stores.dispose());

const ada = 5;

async function happens(stream: string, expected: ExpectedRevision, event: MessageEvent): Promise<void> {
  await stores.log.append({ stream, expected }, [event], metadataOf(ada));
}

async function says(channelId: number, topic: string): Promise<void> {
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  const recipient = { type: 'channel', channelId, topic } as const;
  const text = { content: 'x', references: {}, mentions, readBySender: false };
  await happens('messages', 'any', { type: 'MessageSent', data: { senderId: ada, recipient, ...text } });
}

async function deletes(messageId: number): Promise<void> {
  await happens(`message-${messageId}`, 'no-stream', {
    type: 'MessageDeleted',
    data: { messageId, senderId: null, recipient: null },
  });
}

const options = () => ({
  processName: 'test',
  logger: silentLogger,
  signal: new AbortController().signal,
});

/** The model as if no message had been deleted. */
const { [MessageDeleted.type]: _deleted, ...otherHandlers } = messagesProjection.on;
const withoutDeletions = { ...messagesProjection, on: otherHandlers };

async function model() {
  const rebuilt = await rebuildModel(stores, messagesProjection, options());
  const all = <D extends Keyed>(name: string) =>
    rebuilt.model.collection<D>(name).find({}, { sort: { _id: 1 } });
  const topics = await all<TopicDocument>('topics');
  const channels = await all<ChannelActivityDocument>('channel_activity');
  return {
    messages: (await all<MessageDocument>('messages')).map(({ _id }) => _id),
    deletions: (await all<DeletionDocument>('deletions')).map(({ _id }) => _id),
    topics: topics.map(({ channelId, name, lastMessageId }) => [channelId, name, lastMessageId]),
    beginnings: channels.map(({ _id, firstMessageId }) => [_id, firstMessageId]),
  };
}

it('Messages that are deleted together leave topics and channels at what remains', async () => {
  for (const topic of ['looms', 'Looms', 'yarn', 'LOOMS', 'yarn']) await says(1, topic);
  for (const topic of ['gone', 'gone']) await says(2, topic);
  for (const id of [4, 1, 2, 7, 6, 4_000]) await deletes(id);
  expect(await model()).toEqual({
    messages: [3, 5],
    deletions: [1, 2, 4, 6, 7],
    topics: [[1, 'yarn', 5]],
    beginnings: [
      [1, 3],
      [2, null],
    ],
  });
});

it('A topic whose last messages are deleted together is called what its last remaining one calls it', async () => {
  for (const topic of ['looms', 'Looms', 'LOOMS', 'looMS']) await says(1, topic);
  for (const id of [3, 4, 1]) await deletes(id);
  expect(await model()).toMatchObject({ topics: [[1, 'Looms', 2]], beginnings: [[1, 2]] });
});

it('A message that is being deleted is found, or its deletion is, in a store that writes one document after the other', async () => {
  for (let count = 0; count < 3; count += 1) await says(1, 'looms');
  await deletes(1);
  await deletes(3);
  const { model: built } = await rebuildModel(stores, withoutDeletions, options());
  const seen: Promise<readonly number[]>[][] = [];
  const idsIn = async (name: string): Promise<readonly number[]> =>
    (await copy.collection<Keyed & { readonly _id: number }>(name).find({})).map(({ _id }) => _id);
  const look = (): void => void seen.push([idsIn('messages'), idsIn('deletions')]);
  const copy = new MemoryModel('messages', 1, { atomic: false, beforeWrite: look, isRemoved: () => false });
  const { collections } = messagesProjection;
  copy.declare([...collections, { name: journalName('messages'), indexes: [] }]);
  const writer = new GuardedModelWriter({ model: copy, fencingToken: 1 });
  await writer.recover();
  const messages = await built.collection<MessageDocument>('messages').find({});
  const puts = messages.map((put) => ({
    collection: 'messages',
    put,
    point: { position: 3, step: put._id },
  }));
  await writer.commit({ changes: puts, position: 3 });
  seen.length = 0;

  const events = [1, 3].map((id) => stores.log.readStream(`message-${id}`, { from: 0, limit: 1 }));
  const deleted = (await Promise.all(events)).flat().filter((event) => isEvent(event, MessageDeleted));
  const changes = await withoutMessages(deleted, writer);
  const { position } = deleted.at(-1)!;
  const ordered = changes.map((change, step) => ({ ...change, point: { position, step } }));
  await writer.commit({ changes: ordered, position });
  look();
  const states = await Promise.all(seen.map((one) => Promise.all(one)));
  expect(states.at(-1)).toEqual([[2], [1, 3]]);
  for (const [index, [present]] of states.entries())
    for (const [, gone] of states.slice(index))
      expect([...new Set([...present!, ...gone!])].sort()).toEqual([1, 2, 3]);
});
