import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import type { MessageModels } from '../../src/contexts/messages/client-events/client-models.js';
import { messageMappers } from '../../src/contexts/messages/client-events/messages.js';
import { moveMappers } from '../../src/contexts/messages/client-events/moves.js';
import { MessageReader } from '../../src/contexts/messages/message-reader.js';
import type { AlertWordsAdded } from '../../src/events/attention.js';
import type { MessageEvent } from '../../src/events/messages.js';
import type { MoveEvent } from '../../src/events/message-moves.js';
import type { EventOf, RecordedEvent } from '../../src/kernel/event.js';
import type { AddressedEvent, Mapper, Receiver } from '../../src/realtime/mapper.js';
import { createChannel } from '../support/channels.js';
import { metadataOf } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { rebuildModel } from '../support/rebuild-model.js';
import { standIn } from '../support/stand-in.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

type Happened = RecordedEvent<MessageEvent | MoveEvent>;

let stores: TemporaryStores;
let organization: TestOrganization;
/** Subscribed to the private and the public channel. */
let ada: number;
/** Subscribed to the public channel only. */
let bo: number;
let secret: number;
let open: number;
let sent: Happened;

beforeEach(async () => {
  stores = await openTemporaryStores();
  organization = new TestOrganization();
  ada = organization.register();
  bo = organization.register();
  const privacy = { inviteOnly: true, historyPublicToSubscribers: true, isWebPublic: false };
  secret = createChannel(organization, [ada], { privacy });
  open = createChannel(organization, [ada, bo]);
  sent = await happens('messages', {
    type: 'MessageSent',
    data: {
      senderId: ada,
      recipient: { type: 'channel', channelId: secret, topic: 'looms' },
      readBySender: false,
      ...textOf('the plan'),
    },
  });
});
afterEach(() => stores.dispose());

function textOf(content: string) {
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  return { content, references: {}, mentions };
}

async function happens(
  stream: string,
  event: MessageEvent | MoveEvent | EventOf<typeof AlertWordsAdded>,
  causationId: string | null = null,
): Promise<Happened> {
  const { length } = await stores.log.readStream(stream, { from: 0, limit: 100 });
  const expected = stream === 'messages' ? 'any' : length === 0 ? 'no-stream' : length - 1;
  const metadata = { ...metadataOf(ada), causationId };
  const { events } = await stores.log.append({ stream, expected }, [event], metadata);
  return events[0] as Happened;
}

function moveTo(
  topic: string,
  newTopic: string,
  { from: channelId = secret, to: newChannelId }: { readonly from?: number; readonly to?: number } = {},
): MoveEvent {
  const selection = { channelId, topic, bounds: { after: 0, through: null }, visible: null };
  const reception = { kind: 'kept by subscribers', revision: -1 } as const;
  const newChannel = newChannelId === undefined ? null : { channelId: newChannelId, reception };
  const notify = { oldThread: false, newThread: false };
  const movement = { messageId: 1, mode: 'change_all', selection, newTopic } as const;
  return { type: 'MessagesMoved', data: { ...movement, newChannel, notify } };
}

function editing(content: string, move: MoveEvent | null = null): MessageEvent {
  return {
    type: 'MessageEdited',
    data: { messageId: 1, senderId: ada, messageKey: sent.id, ...textOf(content), move },
  };
}

/** What these people are told of an event when the read model already includes everything after it. */
async function told(event: Happened): Promise<Readonly<Record<'ada' | 'bo', readonly unknown[]>>> {
  const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
  const { model } = await rebuildModel(stores, messagesProjection, options);
  const unused = standIn<never>(null);
  const served = standIn<ConstructorParameters<typeof MessageReader>[0]>({
    get: () => Promise.resolve(model),
  });
  const reader = new MessageReader(served, unused, unused, unused, unused);
  const models = standIn<MessageModels>({
    message: async (id: number) => (await reader.cached([id])).get(id) ?? null,
    deletion: (messageId: number) => reader.deletion(messageId),
    edit: (messageId: number, id: string) => reader.edit(messageId, id),
    textAfter: (...given: Parameters<MessageReader['textAfter']>) => reader.textAfter(...given),
    placedAt: (...given: Parameters<MessageReader['placedAt']>) => reader.placedAt(...given),
    move: (id: string) => reader.moved(id),
    placements: () => reader.placements(),
    alertedBy: (text: string) => reader.alertedBy(text),
    localName: () => null,
    flagsOfListeners: () => Promise.resolve(new Map()),
    activities: () => Promise.resolve(new Map()),
    media: () => Promise.resolve([]),
    referredUploads: () => Promise.resolve({ uploads: [], spaceUsed: 0 }),
    uploadsNamedIn: () => Promise.resolve([]),
  });
  const snapshot = organization.snapshot();
  const mappers = { ...messageMappers, ...moveMappers };
  const line = standIn<Mapper<Happened, MessageModels>>(mappers[event.type]);
  const read = await line.read?.(event, models, snapshot);
  const events = line.clientEvents(event, { snapshot, before: undefined, read, appended: [event] });
  return { ada: received(events, ada), bo: received(events, bo) };
}

/** The events that one person gets, without those about channels. */
function received(events: readonly AddressedEvent[], userId: number): readonly unknown[] {
  const user = organization.user(userId);
  return events.flatMap(({ to, event }) => {
    const isTheirs = to === 'everyone' || (typeof to === 'function' ? to(user) : to.includes(userId));
    if (!isTheirs) return [];
    const capabilities = { bulk_message_deletion: true, empty_topic_name: true };
    const options = { capabilities, narrow: () => true, allPublicChannels: false };
    const made =
      typeof event === 'function'
        ? (event(standIn<Receiver>({ user, queueId: 'queue', options })) ?? [])
        : event;
    return [made].flat().filter(({ type }) => type !== 'stream');
  });
}

describe('The client events of messages that moved again meanwhile', () => {
  it('include the move, with the text that was changed together with it', async () => {
    const move = moveTo('looms', 'weaving');
    const edit = await happens('message-1', editing('the new plan', move));
    const first = await happens(`channel-${secret}`, move, edit.id);
    await happens('message-1', editing('another plan'));
    await happens(`channel-${secret}`, moveTo('weaving', 'spinning'));
    expect(await told(edit)).toEqual({ ada: [], bo: [] });
    const { ada: adas, bo: bos } = await told(first);
    expect(bos).toEqual([]);
    expect(adas).toMatchObject([
      {
        type: 'update_message',
        message_ids: [1],
        stream_id: secret,
        orig_content: 'the plan',
        content: 'the new plan',
        rendered_content: '<p>the new plan</p>',
        orig_subject: 'looms',
        subject: 'weaving',
      },
    ]);
  });

  it('include only the text if another move came before the one that was requested with it', async () => {
    const move = moveTo('looms', 'weaving');
    const edit = await happens('message-1', editing('the new plan', move));
    await happens(`channel-${secret}`, moveTo('looms', 'spinning'));
    const second = await happens(`channel-${secret}`, move, edit.id);
    expect((await told(second)).ada).toMatchObject([
      { type: 'update_message', stream_id: secret, orig_content: 'the plan', content: 'the new plan' },
    ]);
  });

  it('include a move out of the private channel with its destination, though they came back', async () => {
    const out = await happens(`channel-${secret}`, moveTo('looms', 'looms', { to: open }));
    await happens(`channel-${open}`, moveTo('looms', 'looms', { from: open, to: secret }));
    expect((await told(out)).ada).toMatchObject([
      { message_ids: [1], stream_id: secret, new_stream_id: open },
    ]);
  });

  const deletion: MessageEvent = {
    type: 'MessageDeleted',
    data: { messageId: 1, senderId: null, recipient: null },
  };

  it('include their deletion for people who lost them by a move, though they were deleted since', async () => {
    const back = await happens(`channel-${secret}`, moveTo('looms', 'looms', { to: open }));
    const lost = await happens(`channel-${open}`, moveTo('looms', 'looms', { from: open, to: secret }));
    const deleted = await happens('message-1', deletion);
    const gone = { type: 'delete_message', message_ids: [1], message_type: 'stream', topic: 'looms' };
    expect(await told(back)).toEqual({ ada: [], bo: [] });
    expect(await told(lost)).toEqual({ ada: [], bo: [{ ...gone, stream_id: open }] });
    expect(await told(deleted)).toEqual({ ada: [{ ...gone, stream_id: secret }], bo: [] });
  });

  it('omit deleted ones that the person never saw, and a move within a channel', async () => {
    const privacy = { inviteOnly: true, historyPublicToSubscribers: true, isWebPublic: false };
    const vault = createChannel(organization, [ada], { privacy });
    const within = await happens(`channel-${secret}`, moveTo('looms', 'weaving'));
    const unseen = await happens(`channel-${secret}`, moveTo('weaving', 'weaving', { to: vault }));
    await happens('message-1', deletion);
    expect(await told(within)).toEqual({ ada: [], bo: [] });
    expect((await told(unseen)).bo).toEqual([]);
  });

  it('omit changes in a private channel for people who have had them only since they left it', async () => {
    const edit = await happens('message-1', editing('the public plan'));
    const emoji = { name: 'heart', code: '2764', type: 'unicode_emoji' } as const;
    const reaction = await happens('message-1', {
      type: 'ReactionAdded',
      data: { messageId: 1, userId: ada, emoji },
    });
    const move = await happens(`channel-${secret}`, moveTo('looms', 'looms', { to: open }));
    const reactionSince = await happens('message-1', {
      type: 'ReactionRemoved',
      data: { messageId: 1, userId: ada, emoji },
    });
    const ofEdit = await told(edit);
    expect(ofEdit.bo).toEqual([]);
    expect(ofEdit.ada).toMatchObject([{ stream_id: secret, orig_content: 'the plan' }]);
    const ofReaction = await told(reaction);
    expect(ofReaction.bo).toEqual([]);
    expect(ofReaction.ada).toHaveLength(1);
    expect((await told(move)).bo).toMatchObject([{ message_ids: [1], new_stream_id: open }]);
    expect((await told(reactionSince)).bo).toHaveLength(1);
  });
});

describe('The client events of messages that were edited meanwhile', () => {
  /** Another message in the public channel, after these alert words were added. */
  async function sentWith(content: string): Promise<Happened> {
    for (const [userId, words] of [
      [ada, ['loom']],
      [bo, ['yarn']],
    ] as const)
      await happens(`attention-${userId}`, { type: 'AlertWordsAdded', data: { userId, words: [...words] } });
    sent = await happens('messages', {
      type: 'MessageSent',
      data: {
        senderId: ada,
        recipient: { type: 'channel', channelId: open, topic: 'looms' },
        readBySender: false,
        ...textOf(content),
      },
    });
    return sent;
  }

  function edited(content: string): Promise<Happened> {
    const data = { messageId: 2, senderId: ada, messageKey: sent.id, ...textOf(content), move: null };
    return happens('message-2', { type: 'MessageEdited', data });
  }

  it('have the flags of alert words by the text that they contain', async () => {
    const first = await sentWith('A loom.');
    const second = await edited('Some yarn.');
    const last = await edited('Nothing.');
    const [alert, none] = [[{ flags: ['has_alert_word'] }], [{ flags: [] }]];
    expect(await told(first)).toMatchObject({ ada: alert, bo: none });
    expect(await told(second)).toMatchObject({ ada: none, bo: alert });
    expect(await told(last)).toMatchObject({ ada: none, bo: none });
  });

  it('have the flags of mentions by the text that they contain', async () => {
    const first = await sentWith('Something.');
    const mentions = { userIds: [bo], groups: [], channelWildcard: false, topicWildcard: false };
    const data = {
      messageId: 2,
      senderId: ada,
      messageKey: first.id,
      ...textOf('@Bo'),
      mentions,
      move: null,
    };
    const second = await happens('message-2', { type: 'MessageEdited', data });
    await edited('Nothing.');
    expect((await told(first)).bo).toMatchObject([{ flags: [] }]);
    expect((await told(second)).bo).toMatchObject([{ flags: ['mentioned'] }]);
  });
});
