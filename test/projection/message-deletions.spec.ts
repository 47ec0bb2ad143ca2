import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import type { ExpectedRevision } from '../../src/stores/event-store/port.js';
import type { DeletionDocument, MessageDocument } from '../../src/contexts/messages/message-document.js';
import type {
  ChannelActivityDocument,
  TopicDocument,
} from '../../src/contexts/messages/conversation-documents.js';
import type { MessageEvent } from '../../src/events/messages.js';
import type { Keyed } from '../../src/stores/read-store/port.js';
import { rebuildModel } from '../support/rebuild-model.js';
import { metadataOf } from '../support/given.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

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

async function model() {
  const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
  const rebuilt = await rebuildModel(stores, messagesProjection, options);
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
