import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import { budgets } from '../../src/kernel/budgets.js';
import type { MessageDocument } from '../../src/contexts/messages/message-document.js';
import { type MessageEvent, MESSAGES_STREAM, messageStream } from '../../src/events/messages.js';
import { readHistories, type MessageHistory } from '../../src/contexts/messages/view/edit-history.js';
import type { ModelStore } from '../../src/stores/read-store/port.js';
import { metadataOf } from '../support/given.js';
import { rebuildModel } from '../support/rebuild-model.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
let model: ModelStore;

const ada = 5;
const { max } = budgets.historyEntries;
/** How often each message was edited, by its id from 1 on. */
const edited = [max + 20, 3, 0, max, 60, 1];

async function append(stream: string, events: readonly MessageEvent[]): Promise<readonly { id: string }[]> {
  return (await stores.log.append({ stream, expected: 'any' }, events, metadataOf(ada))).events;
}

function textOf(content: string) {
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  return { content, references: {}, mentions };
}

beforeAll(async () => {
  stores = await openTemporaryStores();
  const recipient = { type: 'channel', channelId: 1, topic: 'looms' } as const;
  for (const [index, count] of edited.entries()) {
    const messageId = index + 1;
    const data = { senderId: ada, recipient, readBySender: false, ...textOf('text 0') };
    const [sent] = await append(MESSAGES_STREAM, [{ type: 'MessageSent', data }]);
    const edits = Array.from({ length: count }, (_, number): MessageEvent => {
      const text = textOf(`text ${number + 1}`);
      const of = { messageId, senderId: ada, messageKey: sent!.id };
      return { type: 'MessageEdited', data: { ...of, ...text, move: null } };
    });
    for (let from = 0; from < edits.length; from += 50) {
      await append(messageStream(messageId), edits.slice(from, from + 50));
    }
  }
  const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
  ({ model } = await rebuildModel(stores, messagesProjection, options));
});

afterAll(() => stores.dispose());

async function histories(bytes: number): Promise<readonly (MessageHistory | undefined)[]> {
  const messages = await model.collection<MessageDocument>('messages').find({}, { sort: { _id: 1 } });
  const read = await readHistories(model, messages, { movesOnly: false, bytes });
  return messages.map(({ _id }) => read.get(_id));
}

function numbersIn(history: MessageHistory | undefined): readonly (number | undefined)[] {
  return history?.entries.map(({ edit }) => edit?.number) ?? [];
}

function upTo(last: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => last - count + 1 + index);
}

describe('histories of messages', () => {
  it('hold the newest edits of each, however many it has', async () => {
    const read = await histories(Infinity);
    expect(read.map(numbersIn)).toEqual(edited.map((count) => upTo(count, Math.min(count, max))));
    expect(read.map((history) => history?.isWhole)).toEqual([false, true, undefined, true, true, true]);
  });

  it('hold no more texts than there is room for', async () => {
    const [text, html] = ['text 100', '<p>text 100</p>'];
    const read = await histories(2 * (text.length + html.length));
    expect(read.map((history) => history?.entries.length)).toEqual([2, 2, undefined, 2, 2, 1]);
    expect(read.map((history) => history?.isWhole)).toEqual([false, false, undefined, false, false, true]);
    expect(numbersIn(read[0])).toEqual(upTo(max + 20, 2));
  });

  it('hold what each edit took out and put in', async () => {
    const [first] = (await histories(Infinity))[5]!.entries;
    expect(first?.edit?.contentDifferences).toBe(
      '<div><p>text <span class="highlight_text_deleted">0</span><span class="highlight_text_inserted">1</span></p></div>',
    );
  });
});
