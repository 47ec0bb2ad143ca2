import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import type { DiscardedEvent } from '../../projections/engine/operator-settings.js';
import type { DiscardedEvents } from '../../src/audit/log-index/audit-index.js';
import { movedMessage, type AllMoves } from '../../src/audit/past/moved-message.js';
import { movesOf } from '../../src/audit/past/message-moves.js';
import type { PastSources } from '../../src/audit/past/past-sources.js';
import { readMessageTimeline } from '../../src/audit/message-timeline/message-timeline.js';
import { Placements, type Placement } from '../../src/contexts/messages/placements.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import type { MessageEvent } from '../../src/events/messages.js';
import type { MoveEvent, MoveSelection } from '../../src/events/message-moves.js';
import { failure } from '../../src/kernel/errors.js';
import { QueryDeadline } from '../../src/reader-threads/query-deadline.js';
import type { ModelStore } from '../../src/stores/read-store/port.js';
import { metadataOf } from '../support/given.js';
import { rebuildModel } from '../support/rebuild-model.js';
import { standIn } from '../support/stand-in.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
let revisions: Map<string, number>;

beforeEach(async () => {
  stores = await openTemporaryStores();
  revisions = new Map();
});
afterEach(() => stores.dispose());

const ada = 5;

async function append(stream: string, event: MessageEvent | MoveEvent): Promise<void> {
  const revision = revisions.get(stream);
  revisions.set(stream, (revision ?? -1) + 1);
  const expected = stream === 'messages' ? 'any' : (revision ?? 'no-stream');
  await stores.log.append({ stream, expected }, [event], metadataOf(ada));
}

async function send(channelId: number, topic: string): Promise<void> {
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  const recipient = { type: 'channel', channelId, topic } as const;
  const text = { content: 'x', references: {}, mentions, readBySender: false };
  await append('messages', { type: 'MessageSent', data: { senderId: ada, recipient, ...text } });
}

interface Moving {
  readonly from: readonly [channelId: number, topic: string];
  readonly to: readonly [channelId: number, topic: string];
  readonly visible?: MoveSelection['visible'];
}

async function move({ from, to, visible = null }: Moving): Promise<void> {
  const [channelId, topic] = from;
  const [newChannelId, newTopic] = to;
  const selection = { channelId, topic, bounds: { after: 0, through: null }, visible };
  const reception = { kind: 'kept by subscribers', revision: -1 } as const;
  await append(`channel-${channelId}`, {
    type: 'MessagesMoved',
    data: {
      messageId: 1,
      mode: 'change_all',
      selection,
      newTopic,
      newChannel: newChannelId === channelId ? null : { channelId: newChannelId, reception },
      notify: { oldThread: false, newThread: false },
    },
  });
}

/** What somebody sees of a channel: what came there by some arrival alone. */
function cameBy(arrival: number): MoveSelection['visible'] {
  return [{ after: 0, through: null, arrivals: [arrival] }];
}

async function modelOfMessages(): Promise<ModelStore> {
  const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
  return (await rebuildModel(stores, messagesProjection, options)).model;
}

/** Where a message was moved to, in order. */
async function movesIn(
  messageId: number,
  {
    model,
    discarded = [],
  }: { readonly model: ModelStore | null; readonly discarded?: readonly DiscardedEvent[] },
): Promise<readonly (readonly [channelId: number, topic: string])[]> {
  const messages: Pick<MessageReader, 'model' | 'placements'> = {
    model: () => (model === null ? Promise.reject(failure('unavailable')) : Promise.resolve(model)),
    placements: async () => {
      const placements = new Placements();
      placements.add(await model!.collection<Placement>('arrivals').find({}, { sort: { _id: 1 } }));
      return placements;
    },
  };
  const sources = standIn<PastSources>({
    log: stores.log,
    messages: messages as MessageReader,
    deadline: new QueryDeadline(),
    discarded: standIn<DiscardedEvents>({ of: () => Promise.resolve(discarded) }),
  });
  const life = await readMessageTimeline(stores.log, messageId, await movesOf(sources, messageId));
  const positions = life!.steps.flatMap(({ change, position }) => (change.kind === 'moved' ? position : []));
  await expectFound(await movedMessage(sources, messageId), positions);
  return life!.steps.flatMap(({ change }) =>
    change.kind === 'moved' && change.to.type === 'channel' ? [[change.to.channelId, change.to.topic]] : [],
  );
}

/** Expects that these moves are found, however few at once and from wherever to wherever, both ways. */
async function expectFound(moved: AllMoves, rising: readonly number[]): Promise<void> {
  expect(await moved.all()).toEqual(rising);
  const bounds = [0, ...rising.flatMap((position) => [position - 1, position, position + 1]), Infinity];
  for (const lowest of bounds)
    for (const highest of bounds)
      for (const limit of [1, 2, 100]) {
        const within = rising.filter((position) => position >= lowest && position <= highest);
        const isAll = within.length <= limit;
        const range = [lowest, highest] as const;
        const forwards = await moved.movesWithin(range, { direction: 'forwards', limit });
        expect(forwards).toEqual({ positions: within.slice(0, limit), isAll });
        const backwards = await moved.movesWithin(range, { direction: 'backwards', limit });
        expect(backwards).toEqual({ positions: within.toReversed().slice(0, limit), isAll });
      }
}

/** Two messages come to channel 2 by moves of their own, and somebody who sees only one of them moves it on. */
async function movedInPart(): Promise<void> {
  await send(1, 'a');
  await send(3, 'a');
  await move({ from: [1, 'a'], to: [2, 'a'] });
  await move({ from: [3, 'a'], to: [2, 'a'] });
  await move({ from: [2, 'a'], to: [2, 'b'], visible: cameBy(1) });
}

const first = [
  [2, 'a'],
  [2, 'b'],
] as const;
const second = [[2, 'a']] as const;

it('A move by somebody who sees a part of a channel stands in the lives of those messages that it took along', async () => {
  await movedInPart();
  const model = await modelOfMessages();
  expect(await movesIn(1, { model })).toEqual(first);
  expect(await movesIn(2, { model })).toEqual(second);
});

it('The moves of a message that was deleted stand in its life', async () => {
  await movedInPart();
  const recipient = { type: 'channel', channelId: 2, topic: 'b' } as const;
  await append('message-1', { type: 'MessageDeleted', data: { messageId: 1, senderId: ada, recipient } });
  await move({ from: [2, 'b'], to: [2, 'c'] });
  expect(await movesIn(1, { model: await modelOfMessages() })).toEqual(first);
});

it('What the read model has yet to follow is found in the log', async () => {
  await movedInPart();
  const model = await modelOfMessages();
  await move({ from: [2, 'a'], to: [2, 'c'], visible: cameBy(2) });
  await move({ from: [2, 'c'], to: [4, 'c'] });
  expect(await movesIn(1, { model })).toEqual(first);
  expect(await movesIn(2, { model })).toEqual([...second, [2, 'c'], [4, 'c']]);
});

it('A life is read from the log alone while there is no read model, or where that passed over a move', async () => {
  await send(1, 'a');
  const model = await modelOfMessages();
  await move({ from: [1, 'a'], to: [1, 'b'] });
  await move({ from: [1, 'b'], to: [2, 'b'] });
  const moved = [
    [1, 'b'],
    [2, 'b'],
  ] as const;
  expect(await movesIn(1, { model: null })).toEqual(moved);
  const through = (await stores.log.store.head())!;
  const checkpoint = (): Promise<{ readonly position: number }> => Promise.resolve({ position: through });
  const passing = standIn<ModelStore>({ checkpoint, collection: model.collection.bind(model) });
  const event = { id: '', type: 'MessagesMoved', stream: 'channel-1', position: through };
  const discarded = [{ ...event, reason: 'It is damaged', discardedAt: 0 }];
  expect(await movesIn(1, { model: passing })).toEqual([]);
  expect(await movesIn(1, { model: passing, discarded })).toEqual(moved);
});

it('As few events are read for a life as there are moves in it, however many other moves the log holds', async () => {
  await movedInPart();
  for (let number = 0; number < 50; number += 1) {
    await move({ from: [9, 'x'], to: [9, 'y'] });
    await move({ from: [9, 'y'], to: [9, 'x'] });
  }
  const model = await modelOfMessages();
  const { store } = stores.log;
  const read: number[] = [];
  const readAll = store.readAll.bind(store);
  store.readAll = async function* (options) {
    for await (const page of readAll(options)) {
      read.push(page.events.length);
      yield page;
    }
  };
  expect(await movesIn(1, { model })).toEqual(first);
  expect(read.reduce((sum, events) => sum + events, 0)).toBe(0);
});
