import { describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import type { Answer, Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';

let channels = 0;

/** Creates a channel of Ada's that Bo is in as well, and answers its id. */
async function channel(settings: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const name = `channel ${(channels += 1)}`;
  return ada.createChannel(name, { principals: [adaId, boId], ...settings });
}

async function send(to: number, topic: string, client = ada): Promise<number> {
  const sent = await client.must('post', 'messages', { type: 'channel', to, topic, content: 'x' });
  return sent['id'] as number;
}

async function sendAll(to: number, topics: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const topic of topics) ids.push(await send(to, topic));
  return ids;
}

function isOfPeople(message: Reply): boolean {
  return message['client'] !== 'Internal';
}

/** Topics of a channel's messages, by their ids; without what the notification bot says. */
async function subjects(to: number, client = ada): Promise<Record<number, string>> {
  const { messages } = await client.must('get', 'messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: to }],
  });
  const own = (messages as Reply[]).filter(isOfPeople);
  return Object.fromEntries(own.map((message) => [message['id'] as number, message['subject'] as string]));
}

async function get(id: number, client = ada, parameters = {}): Promise<Reply> {
  return (await client.must('get', `messages/${id}`, parameters))['message'] as Reply;
}

/** Names of a channel's topics with their last messages, without what the notification bot says elsewhere. */
async function topics(to: number): Promise<unknown> {
  const { topics: listed } = await ada.must('get', `users/me/${to}/topics`, { allow_empty_topic_name: true });
  return (listed as Reply[]).filter((topic) => topic['name'] !== 'channel events');
}

const quietly = { send_notification_to_new_thread: false };

function refusal({ status, body }: Answer): readonly [number, string | undefined] {
  return [status, body.code];
}

describe('giving messages another topic', () => {
  it.each([
    ['change_one', [1]],
    ['change_later', [1, 2]],
    ['change_all', [0, 1, 2]],
  ])('by %s moves what it names, whatever the case of the topic', async (mode, moved) => {
    const to = await channel();
    const ids = await sendAll(to, ['Looms', 'looms', 'LOOMS', 'other']);
    const { detached_uploads } = await ada.must('patch', `messages/${ids[1]}`, {
      topic: 'weaving',
      propagate_mode: mode,
      ...quietly,
    });
    expect(detached_uploads).toEqual([]);
    const found = await subjects(to);
    const isMoved = (index: number): boolean => found[ids[index]!] === 'weaving';
    expect(ids.map((_id, index) => isMoved(index))).toEqual(ids.map((_id, index) => moved.includes(index)));
    expect(found[ids[3]!]).toBe('other');
  });

  it('moves the message alone when nothing else is said', async () => {
    const to = await channel();
    const [first, second] = await sendAll(to, ['looms', 'looms']);
    await ada.must('patch', `messages/${first}`, { topic: 'weaving', ...quietly });
    expect(await subjects(to)).toEqual({ [first!]: 'weaving', [second!]: 'looms' });
  });

  it('keeps the list of topics', async () => {
    const to = await channel();
    const [first, second, third] = await sendAll(to, ['looms', 'looms', 'weaving']);
    await ada.must('patch', `messages/${second}`, { topic: 'Weaving', ...quietly });
    expect(await topics(to)).toEqual([
      { name: 'weaving', max_id: third },
      { name: 'looms', max_id: first },
    ]);
    await ada.must('patch', `messages/${first}`, {
      topic: 'weaving',
      propagate_mode: 'change_all',
      ...quietly,
    });
    expect(await topics(to)).toEqual([{ name: 'weaving', max_id: third }]);
    await ada.must('patch', `messages/${third}`, {
      topic: 'WEAVING',
      propagate_mode: 'change_all',
      ...quietly,
    });
    expect(await topics(to)).toEqual([{ name: 'WEAVING', max_id: third }]);
  });

  it('can be done by whoever sees the message, and takes new messages for what they are', async () => {
    const to = await channel();
    const id = await send(to, 'looms');
    await bo.must('patch', `messages/${id}`, { topic: 'weaving', propagate_mode: 'change_all', ...quietly });
    const later = await send(to, 'looms');
    expect(await subjects(to)).toEqual({ [id]: 'weaving', [later]: 'looms' });
  });

  it('finds messages where they are', async () => {
    const to = await channel();
    const id = await send(to, 'looms');
    await ada.must('patch', `messages/${id}`, { topic: 'weaving', ...quietly });
    const ids = async (topic: string): Promise<number[]> => {
      const narrow = [
        ['channel', (await get(id))['display_recipient']],
        ['topic', topic],
      ];
      const page = { anchor: 'newest', num_before: 10, num_after: 0, narrow };
      const { messages } = await ada.must('get', 'messages', page);
      return (messages as Reply[]).filter(isOfPeople).map((message) => message['id'] as number);
    };
    expect([await ids('looms'), await ids('Weaving')]).toEqual([[], [id]]);
  });

  it.each([
    ['a topic too long', 'y'.repeat(61), `${'y'.repeat(57)}...`],
    ['blanks around it', '  weaving ', 'weaving'],
    ['the display name of the empty topic', 'general chat', ''],
    ['what clients once called the empty topic', '(no topic)', ''],
    ['the empty topic', '', ''],
  ])('takes %s', async (_what, topic, kept) => {
    const id = await send(await channel(), 'looms');
    await ada.must('patch', `messages/${id}`, { topic, ...quietly });
    expect((await get(id, ada, { allow_empty_topic_name: true }))['subject']).toBe(kept);
  });

  it('shows the empty topic by its display name to those who do not know it', async () => {
    const id = await send(await channel(), 'looms');
    await ada.must('patch', `messages/${id}`, { topic: '', ...quietly });
    expect(await get(id)).toMatchObject({
      subject: 'general chat',
      edit_history: [{ prev_topic: 'looms', topic: 'general chat' }],
    });
    expect(await get(id, ada, { allow_empty_topic_name: true })).toMatchObject({
      subject: '',
      edit_history: [{ prev_topic: 'looms', topic: '' }],
    });
  });

  it('takes the older name of the parameter, but not both', async () => {
    const id = await send(await channel(), 'looms');
    const both = await ada.patch(`messages/${id}`, { topic: 'a', subject: 'b' });
    expect(refusal(both)).toEqual([400, 'REQUEST_CONFUSING_VAR']);
    await ada.must('patch', `messages/${id}`, { subject: 'weaving', ...quietly });
    expect((await get(id))['subject']).toBe('weaving');
  });

  it.each([
    ['a topic that it has already', { topic: 'looms' }],
    ['all of nothing', { propagate_mode: 'change_all' }],
    ['all of an edited text', { content: 'y', propagate_mode: 'change_later' }],
    ['a mode that is none', { topic: 'weaving', propagate_mode: 'change_some' }],
    ['a mark without a topic', { topic: '✔' }],
    ['a mark on the empty topic', { topic: '✔ general chat' }],
    ['an unprintable character', { topic: 'a\u0007b' }],
  ])('refuses %s', async (_what, parameters) => {
    const to = await channel();
    const id = await send(to, 'looms');
    expect(refusal(await ada.patch(`messages/${id}`, parameters))).toEqual([400, 'BAD_REQUEST']);
    expect(await subjects(to)).toEqual({ [id]: 'looms' });
  });

  it('is not for direct messages', async () => {
    const { id } = await ada.must('post', 'messages', { type: 'direct', to: [boId], content: 'x' });
    expect(refusal(await ada.patch(`messages/${id}`, { topic: 'weaving' }))).toEqual([400, 'BAD_REQUEST']);
  });

  it('is not for those who cannot see the message, nor for what is gone or in an archived channel', async () => {
    const { client: outsider } = await server.createUser(owner, `Outsider ${channels}`);
    const hidden = await send(await channel({ invite_only: true }), 'looms');
    expect(refusal(await outsider.patch(`messages/${hidden}`, { topic: 'weaving' }))).toEqual([
      400,
      'BAD_REQUEST',
    ]);
    await ada.must('delete', `messages/${hidden}`);
    expect(refusal(await ada.patch(`messages/${hidden}`, { topic: 'weaving' }))).toEqual([
      400,
      'BAD_REQUEST',
    ]);
    const to = await channel();
    const shut = await send(to, 'looms');
    await owner.must('delete', `streams/${to}`);
    expect(refusal(await ada.patch(`messages/${shut}`, { topic: 'weaving' }))).toEqual([400, 'BAD_REQUEST']);
  });

  it('stops where the channel has no place for the topic', async () => {
    const to = await channel({ topics_policy: 'disable_empty_topic' });
    const id = await send(to, 'looms');
    expect(refusal(await ada.patch(`messages/${id}`, { topic: '' }))).toEqual([400, 'BAD_REQUEST']);
  });

  it('lets those who may not begin topics move to topics that exist', async () => {
    const to = await channel({ can_create_topic_group: { direct_members: [adaId], direct_subgroups: [] } });
    const [id] = await sendAll(to, ['looms', 'weaving']);
    const move = (topic: string): Promise<Answer> => bo.patch(`messages/${id}`, { topic, ...quietly });
    expect(refusal(await move('spinning'))).toEqual([400, 'BAD_REQUEST']);
    expect((await move('weaving')).status).toBe(200);
  });

  it('reaches only what the mover can see, where the past is protected', async () => {
    const to = await channel({ invite_only: true, history_public_to_subscribers: false });
    const { client: newcomer, id: newcomerId } = await server.createUser(owner, `Newcomer ${channels}`);
    const before = await send(to, 'looms');
    const name = `channel ${channels}`;
    await ada.must('post', 'users/me/subscriptions', { subscriptions: [{ name }], principals: [newcomerId] });
    const after = await send(to, 'looms');
    const all = { topic: 'weaving', propagate_mode: 'change_all', ...quietly };
    expect(refusal(await newcomer.patch(`messages/${before}`, all))).toEqual([400, 'BAD_REQUEST']);
    await newcomer.must('patch', `messages/${after}`, all);
    expect(await subjects(to)).toEqual({ [before]: 'looms', [after]: 'weaving' });
    expect(await subjects(to, newcomer)).toEqual({ [after]: 'weaving' });
    expect(await topics(to)).toEqual([
      { name: 'weaving', max_id: after },
      { name: 'looms', max_id: before },
    ]);
  });

  it('leaves editing and deleting as they were', async () => {
    const to = await channel();
    const id = await send(to, 'looms');
    await ada.must('patch', `messages/${id}`, { topic: 'weaving', ...quietly });
    await ada.must('patch', `messages/${id}`, { content: 'y' });
    expect(await get(id)).toMatchObject({ subject: 'weaving', content: '<p>y</p>' });
    await ada.must('delete', `messages/${id}`);
    expect(await topics(to)).toEqual([]);
  });
});

/** Subscribes somebody to a channel of Ada's. */
async function subscribe(userId: number, name: string): Promise<void> {
  await ada.must('post', 'users/me/subscriptions', { subscriptions: [{ name }], principals: [userId] });
}

async function nameOf(to: number): Promise<string> {
  return ((await ada.must('get', `streams/${to}`))['stream'] as Reply)['name'] as string;
}

const privately = { invite_only: true, history_public_to_subscribers: true };
const protectedly = { invite_only: true, history_public_to_subscribers: false };
const all = { propagate_mode: 'change_all', ...quietly };

describe('moving messages to another channel', () => {
  it('takes them out of the one and into the other', async () => {
    const [from, to] = [await channel(), await channel()];
    const [first, second, other] = await sendAll(from, ['looms', 'looms', 'other']);
    await ada.must('patch', `messages/${first}`, { stream_id: to, ...all });
    expect(await subjects(from)).toEqual({ [other!]: 'other' });
    expect(await subjects(to)).toEqual({ [first!]: 'looms', [second!]: 'looms' });
    const message = await get(first!);
    const timestamp = expect.any(Number);
    expect(message).toMatchObject({
      stream_id: to,
      display_recipient: await nameOf(to),
      recipient_id: to * 2,
      last_moved_timestamp: timestamp,
      flags: [],
    });
    expect(message['edit_history']).toEqual([{ user_id: adaId, timestamp, prev_stream: from, stream: to }]);
    const { message_history: history } = await ada.must('get', `messages/${first}/history`);
    expect((history as Reply[])[1]).toMatchObject({ topic: 'looms', prev_stream: from, stream: to });
    expect(await topics(to)).toEqual([{ name: 'looms', max_id: second }]);
    expect(await topics(from)).toEqual([{ name: 'other', max_id: other }]);
  });

  it('gives them another topic at the same time', async () => {
    const [from, to] = [await channel(), await channel()];
    const id = await send(from, 'looms');
    await ada.must('patch', `messages/${id}`, { stream_id: to, topic: 'weaving', ...quietly });
    expect((await get(id))['edit_history']).toMatchObject([
      { prev_topic: 'looms', topic: 'weaving', prev_stream: from, stream: to },
    ]);
    expect(await subjects(to)).toEqual({ [id]: 'weaving' });
  });

  it('takes the present channel for none', async () => {
    const to = await channel();
    const id = await send(to, 'looms');
    expect(refusal(await ada.patch(`messages/${id}`, { stream_id: to }))).toEqual([400, 'BAD_REQUEST']);
    await ada.must('patch', `messages/${id}`, { stream_id: to, content: 'y' });
    await ada.must('patch', `messages/${id}`, { stream_id: to, topic: 'weaving', ...quietly });
    expect(await get(id)).toMatchObject({ content: '<p>y</p>', subject: 'weaving' });
    expect((await get(id))['edit_history'][0]).not.toHaveProperty('stream');
  });

  it('is not together with another text, nor of direct messages, nor to where the caller cannot see or post', async () => {
    const [from, to] = [await channel(), await channel()];
    const id = await send(from, 'looms');
    const hidden = await channel({ ...privately, principals: [adaId] });
    const { client: carl, id: carlId } = await server.createUser(owner, `Carl ${channels}`);
    await subscribe(carlId, await nameOf(from));
    const posting = { direct_members: [adaId], direct_subgroups: [] };
    const quiet = await channel({ can_send_message_group: posting });
    const shut = await channel();
    await owner.must('delete', `streams/${shut}`);
    const { id: direct } = await ada.must('post', 'messages', { type: 'direct', to: [boId], content: 'x' });
    const answers = [
      await ada.patch(`messages/${id}`, { stream_id: to, content: 'y' }),
      await ada.patch(`messages/${direct}`, { stream_id: to }),
      await carl.patch(`messages/${id}`, { stream_id: hidden }),
      await carl.patch(`messages/${id}`, { stream_id: quiet }),
      await ada.patch(`messages/${id}`, { stream_id: shut }),
      await ada.patch(`messages/${id}`, { stream_id: 999_999 }),
    ];
    expect(answers.map(refusal)).toEqual(answers.map(() => [400, 'BAD_REQUEST']));
    expect(await subjects(from)).toEqual({ [id]: 'looms' });
  });

  it('is for members, and guests only where the channel says so', async () => {
    const { client: gil, id: gilId } = await server.createUser(owner, `Gil ${channels}`);
    await owner.must('patch', `users/${gilId}`, { role: 600 });
    const everyone = { can_move_messages_out_of_channel_group: 2 };
    const [strict, lenient, to] = [await channel(), await channel(everyone), await channel()];
    for (const one of [strict, lenient, to]) await subscribe(gilId, await nameOf(one));
    const [first, second, third] = [
      await send(strict, 'looms'),
      await send(lenient, 'looms'),
      await send(strict, 'other'),
    ];
    expect(refusal(await gil.patch(`messages/${first}`, { stream_id: to }))).toEqual([400, 'BAD_REQUEST']);
    await gil.must('patch', `messages/${second}`, { stream_id: to, ...quietly });
    await bo.must('patch', `messages/${third}`, { stream_id: to, ...quietly });
  });

  it('hides them at once from people who may not read the new channel', async () => {
    const [from, to] = [await channel(), await channel({ ...privately, principals: [adaId] })];
    const id = await send(from, 'looms');
    expect((await bo.get(`messages/${id}`)).status).toBe(200);
    await ada.must('patch', `messages/${id}`, { stream_id: to, ...quietly });
    // A reply waits for the read models for two seconds: slow ones may take longer.
    await eventually(
      () => get(id),
      (message) => message['stream_id'] === to,
    );
    expect(refusal(await bo.get(`messages/${id}`))).toEqual([400, 'BAD_REQUEST']);
    const page = { anchor: 'newest', num_before: 50, num_after: 0 };
    const { messages } = await bo.must('get', 'messages', page);
    expect((messages as Reply[]).map((message) => message['id'] as number)).not.toContain(id);
    expect((await get(id))['flags']).toEqual([]);
    await subscribe(boId, await nameOf(to));
    expect((await get(id, bo))['flags']).toEqual(['read', 'historical']);
  });

  it('gives them to everyone who is subscribed where the past is protected, and to nobody after', async () => {
    const from = await channel({ ...privately, principals: [adaId] });
    const to = await channel(protectedly);
    const { client: later, id: laterId } = await server.createUser(owner, `Later ${channels}`);
    const id = await send(from, 'looms');
    await ada.must('patch', `messages/${id}`, { stream_id: to, ...quietly });
    await subscribe(laterId, await nameOf(to));
    expect((await get(id))['flags']).toEqual([]);
    expect((await get(id, bo))['flags']).toEqual(['read']);
    expect(await subjects(to, bo)).toEqual({ [id]: 'looms' });
    expect(refusal(await later.get(`messages/${id}`))).toEqual([400, 'BAD_REQUEST']);
    expect(await subjects(to, later)).toEqual({});
    const mine = await send(to, 'looms');
    await later.must('patch', `messages/${mine}`, { topic: 'weaving', ...all });
    expect(await subjects(to)).toEqual({ [id]: 'looms', [mine]: 'weaving' });
    await bo.must('patch', `messages/${id}`, { topic: 'spinning', ...all });
    expect(await subjects(to)).toEqual({ [id]: 'spinning', [mine]: 'weaving' });
    const listed = await bo.must('get', `users/me/${to}/topics`);
    expect((listed['topics'] as Reply[]).map((topic) => topic['name'] as string)).toContain('spinning');
  });

  it('moves the beginning of both channels', async () => {
    const [from, to] = [await channel(), await channel()];
    const id = await send(from, 'looms');
    const after = await send(to, 'looms');
    await ada.must('patch', `messages/${id}`, { stream_id: to, ...quietly });
    const first = async (channelId: number): Promise<unknown> =>
      ((await ada.must('get', `streams/${channelId}`))['stream'] as Reply)['first_message_id'];
    expect(await subjects(to)).toEqual({ [id]: 'looms', [after]: 'looms' });
    expect((await first(to)) as number).toBeLessThanOrEqual(id);
  });
});

describe('resolving a topic', () => {
  it('marks it and takes the mark away, and is no move', async () => {
    const to = await channel();
    const [first, second] = await sendAll(to, ['looms', 'looms']);
    const mark = { topic: '✔ looms', propagate_mode: 'change_all' };
    await bo.must('patch', `messages/${first}`, mark);
    expect(await subjects(to)).toEqual({ [first!]: '✔ looms', [second!]: '✔ looms' });
    const page = { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['is', 'resolved']] };
    const { messages } = await ada.must('get', 'messages', page);
    expect((messages as Reply[]).map(({ id }) => id as number)).toContain(second);
    const message = await get(first!);
    expect(message).toMatchObject({
      edit_history: [{ user_id: boId, prev_topic: 'looms', topic: '✔ looms' }],
    });
    expect(message).not.toHaveProperty('last_moved_timestamp');
    await ada.must('patch', `messages/${first}`, { topic: 'looms', propagate_mode: 'change_all' });
    expect(await subjects(to)).toEqual({ [first!]: 'looms', [second!]: 'looms' });
  });
});

describe('the history of what moved', () => {
  it('says so for every message, newest first, and when it was', async () => {
    const to = await channel();
    const [first, second] = await sendAll(to, ['looms', 'looms']);
    await ada.must('patch', `messages/${second}`, { content: 'y' });
    await bo.must('patch', `messages/${first}`, {
      topic: 'weaving',
      propagate_mode: 'change_all',
      ...quietly,
    });
    const timestamp = expect.any(Number);
    const move = { user_id: boId, timestamp, prev_topic: 'looms', topic: 'weaving' };
    const message = await get(first!);
    expect(message['edit_history']).toEqual([move]);
    expect(message['last_moved_timestamp']).toEqual(timestamp);
    expect(message).not.toHaveProperty('last_edit_timestamp');
    expect((await get(second!))['edit_history']).toEqual([
      move,
      { user_id: adaId, timestamp, prev_content: 'x', prev_rendered_content: '<p>x</p>' },
    ]);
  });

  it('does not count another spelling as a move', async () => {
    const id = await send(await channel(), 'looms');
    await ada.must('patch', `messages/${id}`, { topic: 'Looms', ...quietly });
    const message = await get(id);
    expect(message).toMatchObject({
      subject: 'Looms',
      edit_history: [{ prev_topic: 'looms', topic: 'Looms' }],
    });
    expect(message).not.toHaveProperty('last_moved_timestamp');
  });

  it('puts text and topic that changed together into one entry, of that message alone', async () => {
    const to = await channel();
    const [first, second] = await sendAll(to, ['looms', 'looms']);
    await ada.must('patch', `messages/${second}`, {
      content: 'y',
      topic: 'weaving',
      propagate_mode: 'change_all',
      ...quietly,
    });
    const timestamp = expect.any(Number);
    const move = { user_id: adaId, timestamp, prev_topic: 'looms', topic: 'weaving' };
    expect((await get(second!))['edit_history']).toEqual([
      { ...move, prev_content: 'x', prev_rendered_content: '<p>x</p>' },
    ]);
    expect(await get(second!)).toMatchObject({ content: '<p>y</p>', subject: 'weaving' });
    expect((await get(first!))['edit_history']).toEqual([move]);
  });

  it('is told oldest first with the topic of each version', async () => {
    const id = await send(await channel(), 'looms');
    await ada.must('patch', `messages/${id}`, { topic: 'weaving', ...quietly });
    await ada.must('patch', `messages/${id}`, { content: 'y', topic: 'spinning', ...quietly });
    const { message_history: history } = await ada.must('get', `messages/${id}/history`);
    const timestamp = expect.any(Number);
    const [before, after] = [
      { content: 'x', rendered_content: '<p>x</p>' },
      { content: 'y', rendered_content: '<p>y</p>' },
    ];
    expect(history).toEqual([
      { user_id: adaId, timestamp, topic: 'looms', ...before },
      { user_id: adaId, timestamp, topic: 'weaving', prev_topic: 'looms', ...before },
      {
        user_id: adaId,
        timestamp,
        topic: 'spinning',
        prev_topic: 'weaving',
        ...after,
        prev_content: 'x',
        prev_rendered_content: '<p>x</p>',
        content_html_diff: expect.stringContaining('highlight_text_inserted'),
      },
    ]);
  });
});
