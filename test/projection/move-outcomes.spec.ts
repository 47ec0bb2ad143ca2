import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import type { MessageEvent } from '../../src/events/messages.js';
import type { MoveDocument } from '../../src/contexts/messages/moves/move-documents.js';
import type { MoveEvent } from '../../src/events/message-moves.js';
import { systemBotIds } from '../../src/access/system-bots.js';
import { atTheTime } from '../support/given.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';
import { rebuildModel } from '../support/rebuild-model.js';

let stores: TemporaryStores;

beforeEach(async () => {
  stores = await openTemporaryStores();
});
afterEach(() => stores.dispose());

const ada = 5;

/** Appends an event so many seconds after the first, and answers its id. */
async function happens(
  stream: string,
  event: MessageEvent | MoveEvent,
  { after = 0, cause = null }: { readonly after?: number; readonly cause?: string | null } = {},
): Promise<string> {
  const length = (await stores.log.readStream(stream, { from: 0, limit: 100 })).length;
  const expected = stream === 'messages' ? 'any' : length === 0 ? 'no-stream' : length - 1;
  const { events } = await stores.log.append({ stream, expected }, [event], {
    actorId: ada,
    commandId: randomCommandId(),
    causationId: cause,
    client: 'test',
    at: atTheTime + after * 1000,
  });
  return events[0]!.id;
}

function said(senderId: number, topic: string): MessageEvent {
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  const recipient = { type: 'channel', channelId: 1, topic } as const;
  const text = { content: 'x', references: {}, mentions, readBySender: false };
  return { type: 'MessageSent', data: { senderId, recipient, ...text } };
}

function marked(type: 'TopicResolved' | 'TopicUnresolved', topic: string, newTopic: string): MoveEvent {
  const selection = { channelId: 1, topic, bounds: { after: 0, through: null }, visible: null };
  return { type, data: { messageId: 1, mode: 'change_all', selection, newTopic } };
}

const resolved = marked('TopicResolved', 'looms', '✔ looms');
const unresolved = marked('TopicUnresolved', '✔ looms', 'looms');

async function outcomes(): Promise<readonly MoveDocument[]> {
  const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
  const { model } = await rebuildModel(stores, messagesProjection, options);
  return model.collection<MoveDocument>('moves').find({}, { sort: { _id: 1 } });
}

/** The notice that taking the mark away makes wrong, when these things happened in between. */
async function outdatedNotice(after: number, between: () => Promise<unknown>): Promise<number | null> {
  await happens('messages', said(ada, 'looms'));
  const cause = await happens('channel-1', resolved);
  await happens('messages', said(systemBotIds.notification, '✔ looms'), { cause });
  await between();
  await happens('channel-1', unresolved, { after });
  return (await outcomes())[1]!.outdatedNoticeId;
}

const nothing = (): Promise<void> => Promise.resolve();

describe('a mark that is taken away', () => {
  it.each([
    [60, 2],
    [61, null],
  ])('after %i seconds makes the notice of it wrong: %j', async (after, noticeId) => {
    expect(await outdatedNotice(after, nothing)).toBe(noticeId);
  });

  it('leaves the notice after which somebody spoke', async () => {
    expect(await outdatedNotice(1, () => happens('messages', said(ada, '✔ looms')))).toBeNull();
  });

  it('leaves what the bot said for another reason', async () => {
    const bot = systemBotIds.notification;
    expect(await outdatedNotice(1, () => happens('messages', said(bot, '✔ looms')))).toBeNull();
    const move: MoveEvent = {
      type: 'MessagesMoved',
      data: { ...unresolved.data, newChannel: null, notify: { oldThread: true, newThread: true } },
    };
    const cause = await happens('channel-1', move);
    await happens('messages', said(bot, 'looms'), { cause });
    await happens('channel-1', resolved);
    expect((await outcomes()).at(-1)!.outdatedNoticeId).toBeNull();
  });
});
