import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import { messageMappers } from '../../src/contexts/messages/client-events/messages.js';
import type { MessageDocument } from '../../src/contexts/messages/message-document.js';
import { cacheMessage } from '../../src/contexts/messages/view/cached-message.js';
import type { MessageEvent } from '../../src/events/messages.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { NO_CLIENT_EVENT, type AddressedEvent } from '../../src/realtime/mapper.js';
import { createChannel } from '../support/channels.js';
import { metadataOf } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { rebuildModel } from '../support/rebuild-model.js';
import { standIn } from '../support/stand-in.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;

beforeEach(async () => {
  stores = await openTemporaryStores();
});
afterEach(() => stores.dispose());

const ada = 5;
const channelId = 1;

function sending(): MessageEvent {
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  const recipient = { type: 'channel', channelId, topic: 'looms' } as const;
  const text = { content: 'x', references: {}, mentions, readBySender: false };
  return { type: 'MessageSent', data: { senderId: ada, recipient, ...text } };
}

/** The messages of a channel that are sent on these days, as they are stored. */
async function sentOn(days: readonly number[]): Promise<readonly MessageDocument[]> {
  for (const day of days) {
    const metadata = { ...metadataOf(ada), at: day * 86_400_000 };
    await stores.log.append({ stream: 'messages', expected: 'any' }, [sending()], metadata);
  }
  const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
  const { model } = await rebuildModel(stores, messagesProjection, options);
  return model.collection<MessageDocument>('messages').find({}, { sort: { _id: 1 } });
}

/** What is told of a channel because of a message, beside the message. */
function toldOfChannel(document: MessageDocument): readonly unknown[] {
  const organization = new TestOrganization();
  const member = organization.register();
  createChannel(organization, [member]);
  const snapshot = organization.snapshot();
  const line = messageMappers.MessageSent;
  if (line === NO_CLIENT_EVENT) throw new Error('Messages are told');
  const read = {
    message: cacheMessage(document),
    uploads: { uploads: [], spaceUsed: 0 },
    media: [],
    conversations: null,
    localName: null,
  };
  const event = standIn<RecordedEvent<ReturnType<typeof sending> & { type: 'MessageSent' }>>(sending());
  const told: readonly AddressedEvent[] = line.clientEvents(event, {
    snapshot,
    before: undefined,
    read,
    appended: [],
  });
  return told.slice(1).map(({ to, event: made }) => {
    expect(typeof to === 'function' && to(organization.user(member))).toBe(true);
    const receiver = standIn<Parameters<Extract<typeof made, (...args: never) => unknown>>[0]>({
      options: { capabilities: {} },
    });
    return typeof made === 'function' ? made(receiver) : made;
  });
}

it('A message that ends the inactivity of its channel is told to clients together with that', async () => {
  const messages = await sentOn([1000, 1179, 1359, 1360, 2000]);
  expect(messages.map(({ endsInactivity }) => endsInactivity)).toEqual([false, false, true, false, true]);
  expect(toldOfChannel(messages[1]!)).toEqual([]);
  expect(toldOfChannel(messages[2]!)).toMatchObject([
    { type: 'stream', op: 'update', stream_id: channelId, property: 'is_recently_active', value: true },
  ]);
});
