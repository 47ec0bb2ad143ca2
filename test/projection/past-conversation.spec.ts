import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import {
  CompareConversationHandler,
  type CompareConversation,
  type Comparison,
} from '../../src/audit/past/conversation/queries/compare-conversation.js';
import {
  GetPastConversationHandler,
  type GetPastConversation,
  type PastConversation,
} from '../../src/audit/past/conversation/queries/get-past-conversation.js';
import type { MessageEvent } from '../../src/events/messages.js';
import type { MoveEvent } from '../../src/events/message-moves.js';
import { budgets } from '../../src/kernel/budgets.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { atTheTime } from '../support/given.js';
import { pastSourcesOver } from '../support/past-sources.js';
import { rebuildModel } from '../support/rebuild-model.js';
import type { ModelStore } from '../../src/stores/read-store/port.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;

beforeEach(async () => {
  stores = await openTemporaryStores();
});
afterEach(() => stores.dispose());

const ada = 5;

async function append(stream: string, events: readonly (MessageEvent | MoveEvent)[]): Promise<number> {
  const commandId = randomCommandId();
  const metadata = { actorId: ada, commandId, causationId: null, client: 'test', at: atTheTime };
  const expected = stream === 'messages' ? 'any' : 'no-stream';
  return (await stores.log.append({ stream, expected }, events, metadata)).position;
}

const nobody = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };

function sent(topic: string, content: string): MessageEvent {
  const recipient = { type: 'channel', channelId: 1, topic } as const;
  const text = { content, references: {}, mentions: nobody, readBySender: false };
  return { type: 'MessageSent', data: { senderId: ada, recipient, ...text } };
}

/** The last messages of a topic before an anchor, as auditors see them at a position. */
async function pageOf(
  model: ModelStore,
  topicKey: string,
  { at, anchor }: { readonly at: number; readonly anchor: number },
): Promise<PastConversation> {
  const handler = new GetPastConversationHandler(pastSourcesOver(stores.log, model));
  const conversation = { type: 'channel', channelId: 1, topicKey } as const;
  const page = { conversation, at: { position: at }, viewerId: null, anchor, before: 100, after: 0 };
  return handler.execute({ page } as GetPastConversation);
}

async function modelOfMessages(): Promise<ModelStore> {
  const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
  return (await rebuildModel(stores, messagesProjection, options)).model;
}

it('The number of examined messages is limited, and the page has the place to continue from', async () => {
  const count = budgets.pastCandidates.max + 1;
  let before = await append('messages', [sent('here', 'first')]);
  for (let from = 0; from < count; from += 1000) {
    const some = Math.min(1000, count - from);
    before = await append(
      'messages',
      Array.from({ length: some }, () => sent('there', 'x')),
    );
  }
  const selection = { channelId: 1, topic: 'there', bounds: { after: 0, through: null }, visible: null };
  const notify = { oldThread: false, newThread: false };
  const move = {
    messageId: 2,
    mode: 'change_all',
    selection,
    newTopic: 'here',
    newChannel: null,
    notify,
  } as const;
  await append('channel-1', [{ type: 'MessagesMoved', data: move }]);
  const model = await modelOfMessages();
  const first = await pageOf(model, 'here', { at: before, anchor: 1_000_000 });
  expect(first).toMatchObject({ messages: [], older: 3, newer: null });
  const second = await pageOf(model, 'here', { at: before, anchor: first.older! });
  expect(second).toMatchObject({ messages: [{ id: 1, content: 'first' }], older: null });
});

it('A page ends where its texts are long', async () => {
  const long = 'x'.repeat(budgets.pastPageCharacters.max / 6);
  for (let number = 0; number < 4; number += 1) await append('messages', [sent('here', long)]);
  const { messages, older } = await pageOf(await modelOfMessages(), 'here', { at: 4_000, anchor: 1_000_000 });
  expect(messages.map(({ id }) => id)).toEqual([3, 4]);
  expect(older).toBe(3);
});

it('A comparison counts messages that were never changed without examining them', async () => {
  const count = budgets.pastCandidates.max + 500;
  for (let from = 0; from < count; from += 500)
    await append(
      'messages',
      Array.from({ length: 500 }, () => sent('here', 'x')),
    );
  const before = (await stores.log.store.head())!;
  const emoji = { type: 'unicode_emoji', name: 'octopus', code: '1f419' } as const;
  const data = { messageId: count, userId: ada, emoji };
  await append(`message-${count}`, [{ type: 'ReactionAdded', data }]);
  await append('messages', [sent('here', 'new')]);
  const model = await modelOfMessages();
  const handler = new CompareConversationHandler(pastSourcesOver(stores.log, model));
  const conversation = { type: 'channel', channelId: 1, topicKey: 'here' } as const;
  const moments = { from: { position: before }, to: { position: before + 2 } };
  const asked = { conversation, ...moments, viewerId: null, limit: 1 };
  const pageAfter = (after: number): Promise<Comparison> =>
    handler.execute({ comparing: { ...asked, after } } as CompareConversation);
  const first = await pageAfter(0);
  expect(first).toMatchObject({
    differences: [{ kind: 'changed', after: { id: count } }],
    unchanged: count - 1,
    after: count,
  });
  expect(await pageAfter(first.after!)).toMatchObject({
    differences: [{ kind: 'came', after: { id: count + 1 } }],
    unchanged: 0,
    after: null,
  });
});
