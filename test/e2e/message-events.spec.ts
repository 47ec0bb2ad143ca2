import { describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient, Reply } from '../support/api-client.js';

let channels = 0;

async function channel(settings: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const name = `channel ${(channels += 1)}`;
  return ada.createChannel(name, { principals: [adaId, boId], ...settings });
}

async function send(to: number, topic: string, { client = ada, content = 'x' } = {}): Promise<number> {
  return (await client.must('post', 'messages', { type: 'channel', to, topic, content }))['id'] as number;
}

const everything: Readonly<Record<string, boolean>> = {
  bulk_message_deletion: true,
  empty_topic_name: true,
};

/** What a client is told of because of something, without the ids of the events. */
async function told(
  act: () => Promise<unknown>,
  { client = bo, capabilities = everything } = {},
): Promise<Reply[]> {
  const queue = await client.must('post', 'register', {
    fetch_event_types: [],
    apply_markdown: true,
    client_capabilities: { notification_settings_null: true, ...capabilities },
  });
  await act();
  const query = { queue_id: queue['queue_id'] as string, last_event_id: -1, dont_block: true };
  const { events } = await client.must('get', 'events', query);
  return (events as Reply[]).map(({ id: _id, ...event }) => event);
}

const time = expect.any(Number);
const all = { propagate_mode: 'change_all' };
const quietly = { send_notification_to_new_thread: false };

describe('clients receive events', () => {
  it('of a message, with their own flags', async () => {
    const to = await channel();
    const [event, ...more] = await told(() => send(to, 'looms', { content: 'see *this*, @**Bo**' }));
    // Bo follows the topic because of the mention.
    expect(more.map(({ type }) => type as string)).toEqual(['muted_topics', 'user_topic']);
    expect(event).toMatchObject({ type: 'message', flags: ['mentioned'] });
    const { message } = event as Reply & { readonly message: Reply };
    expect(Object.keys(message).sort()).toEqual(
      [
        'id',
        'sender_id',
        'content',
        'recipient_id',
        'timestamp',
        'client',
        'subject',
        'topic_links',
        'is_me_message',
        'reactions',
        'submessages',
        'sender_full_name',
        'sender_email',
        'sender_realm_str',
        'display_recipient',
        'type',
        'stream_id',
        'avatar_url',
        'content_type',
      ].sort(),
    );
    expect(message).toMatchObject({
      subject: 'looms',
      stream_id: to,
      type: 'stream',
      content_type: 'text/html',
    });
  });

  it('of an edited text', async () => {
    const to = await channel();
    const id = await send(to, 'looms');
    expect(await told(() => ada.must('patch', `messages/${id}`, { content: '*y*' }))).toEqual([
      {
        type: 'update_message',
        user_id: adaId,
        edit_timestamp: time,
        message_id: id,
        message_ids: [id],
        flags: [],
        rendering_only: false,
        stream_id: to,
        stream_name: `channel ${channels}`,
        orig_content: 'x',
        orig_rendered_content: '<p>x</p>',
        content: '*y*',
        rendered_content: '<p><em>y</em></p>',
        is_me_message: false,
      },
    ]);
  });

  it('of a text and a topic that changed together at once', async () => {
    const to = await channel();
    const [first, second] = [await send(to, 'looms'), await send(to, 'looms')];
    const change = { content: '/me *y*', topic: 'weaving', ...all, ...quietly };
    const events = await told(() => ada.must('patch', `messages/${second}`, change));
    expect(events.filter(({ type }) => type === 'update_message')).toEqual([
      {
        type: 'update_message',
        user_id: adaId,
        edit_timestamp: time,
        message_id: second,
        message_ids: [first, second],
        flags: [],
        rendering_only: false,
        stream_id: to,
        stream_name: expect.any(String),
        orig_content: 'x',
        orig_rendered_content: '<p>x</p>',
        content: '/me *y*',
        rendered_content: '<p>/me <em>y</em></p>',
        is_me_message: true,
        propagate_mode: 'change_all',
        orig_subject: 'looms',
        subject: 'weaving',
        topic_links: [],
      },
    ]);
  });

  it('of a text without markup and a topic that changed together at once, with the text as HTML', async () => {
    const id = await send(await channel(), 'looms');
    const change = { content: 'just y', topic: 'weaving', ...quietly };
    expect(await told(() => ada.must('patch', `messages/${id}`, change))).toContainEqual(
      expect.objectContaining({
        type: 'update_message',
        orig_rendered_content: '<p>x</p>',
        content: 'just y',
        rendered_content: '<p>just y</p>',
        subject: 'weaving',
      }),
    );
  });

  it('of a move, then of the notices, already read for the mover', async () => {
    const [from, to] = [await channel(), await channel()];
    const [first, second] = [await send(from, 'looms'), await send(from, 'looms')];
    const topic = 'see https://example.com/weaving';
    const move = { topic, stream_id: to, ...all, send_notification_to_old_thread: true };
    const events = await told(() => bo.must('patch', `messages/${first}`, move));
    expect(events[0]).toEqual({
      type: 'update_message',
      user_id: boId,
      edit_timestamp: time,
      message_id: first,
      message_ids: [first, second],
      flags: [],
      rendering_only: false,
      stream_id: from,
      stream_name: `channel ${channels - 1}`,
      propagate_mode: 'change_all',
      orig_subject: 'looms',
      subject: topic,
      topic_links: [{ text: 'https://example.com/weaving', url: 'https://example.com/weaving' }],
      new_stream_id: to,
    });
    const notices = events
      .slice(1)
      .map((event) => [
        event['type'] as string,
        (event['message'] as Reply)['stream_id'] as number,
        event['flags'] as string[],
      ]);
    expect(notices).toEqual([
      ['message', to, ['read']],
      ['message', from, ['read']],
    ]);
  });

  it('of a move to another channel only, without a subject, and of messages that they lose by it as deleted', async () => {
    const [from, to] = [await channel(), await channel({ invite_only: true, principals: [adaId] })];
    const id = await send(from, 'looms');
    const move = (): Promise<Reply> =>
      ada.must('patch', `messages/${id}`, { stream_id: to, ...all, ...quietly });
    const gone = { type: 'delete_message', message_type: 'stream', stream_id: from, topic: 'looms' };
    expect(await told(move)).toEqual([{ ...gone, message_ids: [id] }]);
    const again = await told(
      () => ada.must('patch', `messages/${id}`, { stream_id: from, ...all, ...quietly }),
      { client: ada },
    );
    expect(again[0]).toMatchObject({ type: 'update_message', orig_subject: 'looms', new_stream_id: from });
    expect(again[0]).not.toHaveProperty('subject');
  });

  it('of a resolved topic and its notice, and of the notice’s deletion when the topic is unresolved', async () => {
    const to = await channel();
    const id = await send(to, 'looms', { client: owner });
    const types = async (topic: string): Promise<unknown[]> =>
      (await told(() => ada.must('patch', `messages/${id}`, { topic, ...all }))).map((event) => [
        event['type'],
        event['flags'],
      ]);
    expect(await types('✔ looms')).toEqual([
      ['update_message', []],
      ['message', ['read']],
    ]);
    expect(await types('looms')).toEqual([
      ['update_message', []],
      ['delete_message', undefined],
    ]);
  });

  it('of the policies of a topic that they follow as its author, and whose messages move', async () => {
    const to = await channel();
    let id = 0;
    const started = await told(async () => (id = await send(to, 'looms', { client: bo })));
    const toldOf = { type: 'user_topic', stream_id: to, last_updated: time };
    expect(started.filter(({ type }) => type === 'user_topic')).toEqual([
      { ...toldOf, topic_name: 'looms', visibility_policy: 3 },
    ]);
    const moved = await told(() =>
      ada.must('patch', `messages/${id}`, { topic: 'weaving', ...all, ...quietly }),
    );
    expect(moved.filter(({ type }) => type === 'user_topic')).toEqual([
      { ...toldOf, topic_name: 'looms', visibility_policy: 0 },
      { ...toldOf, topic_name: 'weaving', visibility_policy: 3 },
    ]);
  });

  it('of deleted messages, in one event or one for each message', async () => {
    const to = await channel();
    const [first, second] = [await send(to, ''), await send(to, '')];
    const gone = { type: 'delete_message', message_type: 'stream', stream_id: to };
    expect(await told(() => ada.must('delete', `messages/${first}`))).toEqual([
      { ...gone, message_ids: [first], topic: '' },
    ]);
    expect(await told(() => ada.must('delete', `messages/${second}`), { capabilities: {} })).toEqual([
      { ...gone, message_id: second, topic: 'general chat' },
    ]);
    const { id: direct } = await ada.must('post', 'messages', { type: 'direct', to: [boId], content: 'x' });
    expect(await told(() => ada.must('delete', `messages/${direct as number}`))).toEqual([
      { type: 'delete_message', message_type: 'private', message_ids: [direct] },
    ]);
  });

  it('of their own changes in a public channel to which they are not subscribed', async () => {
    const to = await channel({ principals: [adaId] });
    const [first, second] = [await send(to, 'looms'), await send(to, 'looms')];
    const own = await send(to, 'looms', { client: owner });
    const byOwner = { client: owner };
    const acts = await told(async () => {
      await owner.must('patch', `messages/${own}`, { content: 'y' });
      await owner.must('patch', `messages/${second}`, { topic: 'mills', ...quietly });
      await owner.must('delete', `messages/${first}`);
    }, byOwner);
    expect(acts).toMatchObject([
      { type: 'update_message', message_ids: [own], content: 'y', flags: ['read', 'historical'] },
      { type: 'update_message', message_ids: [second], subject: 'mills', flags: ['read', 'historical'] },
      { type: 'delete_message', message_ids: [first], stream_id: to, topic: 'looms' },
    ]);
    const others = await told(async () => {
      await ada.must('patch', `messages/${second}`, { content: 'z', topic: 'looms', ...quietly });
      await ada.must('delete', `messages/${second}`);
    }, byOwner);
    expect(others).toEqual([]);
  });

  it('of which message of a channel is its first, when another goes or comes', async () => {
    const [to, elsewhere] = [await channel(), await channel()];
    const { stream } = await ada.must('get', `streams/${to}`);
    const notice = (stream as Reply)['first_message_id'] as number;
    const [first, second] = [await send(to, 'looms'), await send(to, 'looms')];
    const shifts = async (act: () => Promise<unknown>): Promise<unknown[]> =>
      (await told(act))
        .filter(({ type }) => type === 'stream')
        .map(({ op, stream_id, property, value }) => [op, stream_id, property, value]);
    const shift = (channelId: number, id: number | null) => ['update', channelId, 'first_message_id', id];
    expect(await shifts(() => owner.must('delete', `messages/${notice}`))).toEqual([shift(to, first)]);
    expect(await shifts(() => ada.must('delete', `messages/${second}`))).toEqual([]);
    const away = { stream_id: elsewhere, ...all, ...quietly };
    expect(await shifts(() => ada.must('patch', `messages/${first}`, away))).toEqual([shift(to, null)]);
    const back = { stream_id: to, ...all, ...quietly };
    expect(await shifts(() => ada.must('patch', `messages/${first}`, back))).toEqual([shift(to, first)]);
  });

  it('of no changes to messages from before they joined a channel with protected history', async () => {
    const { client: late, id: lateId } = await server.createUser(owner, 'Late');
    const to = await channel({ invite_only: true, history_public_to_subscribers: false });
    const before = await send(to, 'looms');
    const subscriptions = [{ name: `channel ${channels}` }];
    await ada.must('post', 'users/me/subscriptions', { subscriptions, principals: [lateId] });
    const after = await send(to, 'looms');
    const befall = async (id: number): Promise<void> => {
      await ada.must('patch', `messages/${id}`, { content: 'y' });
      await ada.must('post', `messages/${id}/reactions`, { emoji_name: 'octopus' });
      await ada.must('delete', `messages/${id}/reactions`, { emoji_name: 'octopus' });
      await ada.must('delete', `messages/${id}`);
    };
    const heard = async (id: number): Promise<unknown[]> =>
      (await told(() => befall(id), { client: late })).map(({ type }) => type);
    expect(await heard(before)).toEqual([]);
    expect(await heard(after)).toEqual(['update_message', 'reaction', 'reaction', 'delete_message']);
  });

  it('of reactions', async () => {
    const id = await send(await channel(), 'looms');
    const emoji = { emoji_name: 'octopus' };
    const reaction = {
      type: 'reaction',
      message_id: id,
      user_id: adaId,
      emoji_name: 'octopus',
      emoji_code: '1f419',
      reaction_type: 'unicode_emoji',
    };
    expect(await told(() => ada.must('post', `messages/${id}/reactions`, emoji))).toEqual([
      { ...reaction, op: 'add' },
    ]);
    expect(await told(() => ada.must('delete', `messages/${id}/reactions`, emoji))).toEqual([
      { ...reaction, op: 'remove' },
    ]);
  });

  it('of changes to history that they starred while they can see it, and of their own changes to any', async () => {
    const [to, hidden] = [
      await channel({ principals: [adaId] }),
      await channel({ principals: [adaId], invite_only: true }),
    ];
    const [first, second] = [await send(to, 'looms'), await send(to, 'looms')];
    const starring = { messages: [first, second], op: 'add', flag: 'starred' };
    const reacting = (client: ApiClient, id: number): Promise<Reply> =>
      client.must('post', `messages/${id}/reactions`, { emoji_name: 'octopus' });
    expect(await told(() => reacting(bo, first))).toMatchObject([{ type: 'reaction', user_id: boId }]);
    expect(await told(() => reacting(ada, first))).toEqual([]);
    await bo.must('post', 'messages/flags', starring);
    const news = await told(async () => {
      await ada.must('patch', `messages/${first}`, { content: 'y' });
      await reacting(ada, second);
      await ada.must('patch', `messages/${first}`, { topic: 'mills', ...quietly });
      await ada.must('patch', `messages/${first}`, { stream_id: hidden, ...quietly });
      await reacting(owner, second);
      await owner.must('delete', `messages/${second}`);
    });
    expect(news).toMatchObject([
      { type: 'update_message', content: 'y' },
      { type: 'reaction', message_id: second, user_id: adaId },
      { type: 'update_message', message_ids: [first], subject: 'mills' },
      { type: 'delete_message', message_ids: [first] },
      { type: 'reaction', message_id: second },
      { type: 'delete_message', message_ids: [second] },
    ]);
  });

  it('of changed flags, with the places of messages that become unread', async () => {
    const to = await channel();
    const id = await send(to, 'looms', { content: '@**Bo**' });
    const { id: direct } = await ada.must('post', 'messages', { type: 'direct', to: [boId], content: 'x' });
    const messages = [id, direct as number];
    const change = (op: string, flag: string) => (): Promise<Reply> =>
      bo.must('post', 'messages/flags', { messages, op, flag });
    const event = { type: 'update_message_flags', all: false, messages };
    const added = { op: 'add', operation: 'add' };
    const removed = { op: 'remove', operation: 'remove' };
    expect(await told(change('add', 'starred'))).toEqual([{ ...event, ...added, flag: 'starred' }]);
    expect(await told(change('add', 'read'))).toEqual([{ ...event, ...added, flag: 'read' }]);
    expect(await told(change('remove', 'read'))).toEqual([
      {
        ...event,
        ...removed,
        flag: 'read',
        message_details: {
          [id]: { type: 'stream', stream_id: to, topic: 'looms', mentioned: true, unmuted_stream_msg: true },
          [direct as number]: { type: 'private', user_ids: [adaId] },
        },
      },
    ]);
    expect(await told(() => bo.must('post', 'mark_all_as_read'))).toEqual([
      { ...event, ...added, flag: 'read', all: true, messages: [] },
    ]);
  });

  it('of muted topics in the older form, unless they request the newer one', async () => {
    const to = await channel();
    const mute = (visibility_policy: number) => (): Promise<Reply> =>
      bo.must('post', 'user_topics', { stream_id: to, topic: 'looms', visibility_policy });
    const muted = await told(mute(1));
    expect(muted).toContainEqual({
      type: 'user_topic',
      stream_id: to,
      topic_name: 'looms',
      last_updated: time,
      visibility_policy: 1,
    });
    expect(muted).toContainEqual({
      type: 'muted_topics',
      muted_topics: [[`channel ${channels}`, 'looms', time]],
    });
    expect(await told(mute(0))).toContainEqual({ type: 'muted_topics', muted_topics: [] });
  });
});
