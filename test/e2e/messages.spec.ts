import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import { ImpatientClient, type Answer, type ApiClient, type Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';

let gil: ApiClient;
let gilId: number;

beforeAll(async () => {
  ({ client: gil, id: gilId } = await server.createUser(owner, 'Gil'));
  await owner.must('patch', `users/${gilId}`, { role: 600 });
});

/** Creates a channel with these first subscribers and answers its id. */
async function channel(
  name: string,
  creator: ApiClient,
  {
    members = [],
    ...settings
  }: { readonly members?: readonly number[]; readonly [setting: string]: unknown } = {},
): Promise<number> {
  const creatorId = (await creator.must('get', 'users/me'))['user_id'] as number;
  return creator.createChannel(name, { principals: [creatorId, ...members], ...settings });
}

async function send(
  client: ApiClient,
  to: number | { readonly to: number; readonly topic: string },
  content: string,
): Promise<number> {
  const place = typeof to === 'number' ? { to, topic: 'notes' } : to;
  return (await client.must('post', 'messages', { type: 'channel', ...place, content }))['id'] as number;
}

async function sendDirectly(client: ApiClient, to: readonly number[], content: string): Promise<number> {
  return (await client.must('post', 'messages', { type: 'direct', to, content }))['id'] as number;
}

const newest = { anchor: 'newest', num_before: 100, num_after: 0 };

/** Messages of people, without what the notification bot says. */
async function read(client: ApiClient, parameters: Record<string, unknown> = newest): Promise<Reply[]> {
  const { messages } = await client.must('get', 'messages', parameters);
  return (messages as Reply[]).filter((message) => message['client'] !== 'Internal');
}

async function contents(client: ApiClient, narrow: readonly unknown[] = []): Promise<string[]> {
  const messages = await read(client, { ...newest, narrow, apply_markdown: false });
  return messages.map((message) => message['content'] as string);
}

function refusal({ status, body }: Answer): readonly [number, string | undefined] {
  return [status, body.code];
}

describe('sending', () => {
  it('answers the id, and the sender reads what they wrote at once', async () => {
    const to = await channel('sending', ada);
    const id = await send(ada, { to: to, topic: 'engines' }, 'Note **G** is ready.');
    const [message] = await read(ada, { anchor: id, num_before: 0, num_after: 0 });
    expect(message).toMatchObject({
      id,
      sender_id: adaId,
      sender_full_name: 'Ada',
      sender_email: 'ada@example.com',
      sender_realm_str: '',
      content: '<p>Note <strong>G</strong> is ready.</p>',
      content_type: 'text/html',
      subject: 'engines',
      type: 'stream',
      stream_id: to,
      display_recipient: 'sending',
      client: 'PalimpsestTests',
      is_me_message: false,
      reactions: [],
      submessages: [],
      topic_links: [],
      avatar_url: null,
      flags: [],
    });
    expect(Math.abs((message?.['timestamp'] as number) - Date.now() / 1000)).toBeLessThan(60);
  });

  it.each([
    ['a channel by its name', (id: number) => ({ type: 'stream', to: 'spellings', id })],
    ['a channel by its id', (id: number) => ({ type: 'channel', to: id })],
    ['a list of one', (id: number) => ({ type: 'channel', to: [id] })],
    ['a name in quotes', () => ({ type: 'channel', to: '"spellings"' })],
    [
      'the older name of the topic',
      (id: number) => ({ type: 'channel', to: id, topic: undefined, subject: 'old' }),
    ],
  ])('takes %s', async (_what, parameters) => {
    const found = await ada.get('get_stream_id', { stream: 'spellings' });
    const id = found.status === 200 ? (found.body['stream_id'] as number) : await channel('spellings', ada);
    const { id: _id, ...given } = { id, ...parameters(id) };
    const { status, body } = await ada.post('messages', { topic: 't', content: 'x', ...given });
    expect([status, body.msg]).toEqual([200, '']);
  });

  it.each([
    ['no type', { to: 'x', topic: 't', content: 'x' }, [400, 'REQUEST_VARIABLE_MISSING']],
    ['no recipient', { type: 'channel', topic: 't', content: 'x' }, [400, 'REQUEST_VARIABLE_MISSING']],
    ['no topic', { type: 'channel', to: 'errors', content: 'x' }, [400, 'REQUEST_VARIABLE_MISSING']],
    ['no text', { type: 'channel', to: 'errors', topic: 't' }, [400, 'REQUEST_VARIABLE_MISSING']],
    ['a blank text', { type: 'channel', to: 'errors', topic: 't', content: ' ' }, [400, 'BAD_REQUEST']],
    [
      'both names of the topic',
      { type: 'channel', to: 'errors', topic: 't', subject: 's', content: 'x' },
      [400, 'REQUEST_CONFUSING_VAR'],
    ],
    ['an unknown type', { type: 'letter', to: 'errors', topic: 't', content: 'x' }, [400, 'BAD_REQUEST']],
    [
      'an unknown channel name',
      { type: 'channel', to: 'nowhere', topic: 't', content: 'x' },
      [400, 'STREAM_DOES_NOT_EXIST'],
    ],
    [
      'an unknown channel id',
      { type: 'channel', to: 99999, topic: 't', content: 'x' },
      [400, 'STREAM_DOES_NOT_EXIST'],
    ],
    ['nobody', { type: 'direct', to: [], content: 'x' }, [400, 'BAD_REQUEST']],
    ['an unknown person', { type: 'direct', to: [99999], content: 'x' }, [400, 'BAD_REQUEST']],
    [
      'an unknown address',
      { type: 'direct', to: ['nobody@example.com'], content: 'x' },
      [400, 'BAD_REQUEST'],
    ],
    [
      'ids and addresses at once',
      { type: 'direct', to: [1, 'ada@example.com'], content: 'x' },
      [400, 'BAD_REQUEST'],
    ],
  ])('refuses %s and changes nothing', async (_what, parameters, expected) => {
    const found = await ada.get('get_stream_id', { stream: 'errors' });
    if (found.status !== 200) await channel('errors', ada);
    const before = await contents(ada, [['channel', 'errors']]);
    expect(refusal(await ada.post('messages', parameters))).toEqual(expected);
    expect(await contents(ada, [['channel', 'errors']])).toEqual(before);
  });

  it('answers alike for a private channel of others and for none, by name and by id', async () => {
    const hidden = await channel('hidden from bo', ada, { invite_only: true });
    for (const to of ['hidden from bo', 'no such channel']) {
      const { status, body } = await bo.post('messages', { type: 'channel', to, topic: 't', content: 'x' });
      const { msg } = body;
      expect([status, { ...body, msg: msg.replace(to, '…') }]).toEqual([
        400,
        { result: 'error', code: 'STREAM_DOES_NOT_EXIST', msg: "Channel '…' does not exist", stream: to },
      ]);
    }
    const { body } = await bo.post('messages', { type: 'channel', to: hidden, topic: 't', content: 'x' });
    expect(body).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream_id: hidden });
  });

  it.each([
    ['ids in a list', () => [boId, gilId]],
    ['ids between commas', () => `${boId}, ${gilId}`],
    ['addresses in a list', () => ['bo@example.com', 'GIL@example.com']],
    ['addresses between commas', () => 'bo@example.com,gil@example.com,'],
  ])('takes %s for the people of a conversation', async (_what, to) => {
    const { id } = await ada.must('post', 'messages', { type: 'direct', to: to(), content: 'x' });
    const [message] = await read(ada, { message_ids: [id] });
    const people = (message?.['display_recipient'] as Reply[]).map((person) => person['id']);
    expect(people.sort()).toEqual([adaId, boId, gilId].sort());
  });

  it('sends a message that has a name only once', async () => {
    const to = await channel('retries', ada);
    const message = { type: 'channel', to, topic: 't', content: 'once', queue_id: 'q', local_id: '17.01' };
    const first = await ada.must('post', 'messages', message);
    const again = await ada.must('post', 'messages', message);
    expect(again['id']).toBe(first['id']);
    expect(await contents(ada, [['channel', 'retries']])).toEqual(['once']);
    for (const other of [{ content: 'twice' }, { topic: 'u' }]) {
      expect((await ada.must('post', 'messages', { ...message, ...other }))['id']).not.toBe(first['id']);
    }
    expect(await contents(ada, [['channel', 'retries']])).toEqual(['once', 'twice', 'once']);
  });

  it('refuses names of messages that are too long to be kept', async () => {
    const message = { type: 'direct', to: [boId], content: 'named', queue_id: 'q', local_id: 'l' };
    const longest = '1'.repeat(budgets.localId.max);
    await ada.must('post', 'messages', { ...message, local_id: longest, queue_id: longest });
    for (const parameter of ['local_id', 'queue_id']) {
      const answer = await ada.post('messages', { ...message, [parameter]: `${longest}1` });
      expect(refusal(answer)).toEqual([400, 'BAD_REQUEST']);
      expect(answer.body['msg']).toContain(parameter);
    }
  });

  it('gives direct messages to those in the conversation alone', async () => {
    const id = await sendDirectly(ada, [boId], 'between us');
    for (const client of [ada, bo]) {
      const [message] = await read(client, { anchor: id, num_before: 0, num_after: 0 });
      expect(message).toMatchObject({ id, type: 'private', subject: '' });
      expect((message?.['display_recipient'] as Reply[]).map((person) => person['email'])).toEqual([
        'ada@example.com',
        'bo@example.com',
      ]);
    }
    expect(await read(gil, { anchor: id, num_before: 0, num_after: 0 })).toEqual([]);
    expect(refusal(await gil.get(`messages/${id}`))).toEqual([400, 'BAD_REQUEST']);
  });

  it('gives both sides of a conversation the same recipient_id', async () => {
    const [there, back] = [
      await sendDirectly(ada, [boId], 'hello'),
      await sendDirectly(bo, [adaId], 'hello too'),
    ];
    const messages = await read(ada, { message_ids: [there, back] });
    expect(new Set(messages.map((message) => message['recipient_id'])).size).toBe(1);
  });

  it('takes notes to oneself', async () => {
    const id = await sendDirectly(ada, [adaId], 'remember');
    const [message] = await read(ada, { anchor: id, num_before: 0, num_after: 0 });
    expect(message?.['display_recipient']).toHaveLength(1);
  });

  it('flags mentions for those who are mentioned', async () => {
    const to = await channel('mentions', ada, { members: [boId] });
    const id = await send(ada, to, 'ask @**Bo**');
    const [mine] = await read(ada, { message_ids: [id] });
    const [theirs] = await read(bo, { message_ids: [id] });
    expect(mine?.['flags']).toEqual([]);
    expect(theirs?.['flags']).toEqual(['mentioned']);
    expect(theirs?.['content']).toContain(`<span class="user-mention" data-user-id="${boId}">@Bo</span>`);
  });

  it('keeps what was said when a person takes another name', async () => {
    const { client, id } = await server.createUser(owner, 'Renamed');
    const to = await channel('names', ada, { members: [id] });
    const message = await send(client, to, 'I am @**Renamed**');
    await owner.must('patch', `users/${id}`, { full_name: 'Somebody Else' });
    const [read_] = await read(ada, { message_ids: [message] });
    expect(read_?.['sender_full_name']).toBe('Somebody Else');
    expect(read_?.['content']).toContain('@Renamed');
  });
});

describe('what the server’s own bots say', () => {
  it('is told to come from where clients know them to belong', async () => {
    await channel('announced', ada);
    const parameters = { ...newest, narrow: [['channel', 'announced']] };
    const { messages } = await ada.must('get', 'messages', parameters);
    expect(messages).toMatchObject([{ client: 'Internal', sender_realm_str: 'zulipinternal' }]);
  });
});

describe('editing', () => {
  it('replaces the text and keeps what stood there', async () => {
    const to = await channel('editing', ada, { members: [boId] });
    const id = await send(ada, to, 'first draft');
    expect(
      (await ada.must('patch', `messages/${id}`, { content: 'second draft' }))['detached_uploads'],
    ).toEqual([]);
    await ada.must('patch', `messages/${id}`, { content: 'third *draft*' });
    const { message, raw_content } = await bo.must('get', `messages/${id}`);
    expect(raw_content).toBe('third *draft*');
    expect(message).toMatchObject({
      content: '<p>third <em>draft</em></p>',
      last_edit_timestamp: expect.any(Number),
    });
    expect(message['edit_history']).toEqual([
      {
        user_id: adaId,
        timestamp: expect.any(Number),
        prev_content: 'second draft',
        prev_rendered_content: '<p>second draft</p>',
      },
      {
        user_id: adaId,
        timestamp: expect.any(Number),
        prev_content: 'first draft',
        prev_rendered_content: '<p>first draft</p>',
      },
    ]);
    expect(message).not.toHaveProperty('last_moved_timestamp');
  });

  it('tells the history oldest first', async () => {
    const id = await send(ada, await channel('histories', ada), 'one word');
    await ada.must('patch', `messages/${id}`, { content: 'two words' });
    const { message_history: history } = await ada.must('get', `messages/${id}/history`);
    expect(history).toEqual([
      {
        user_id: adaId,
        timestamp: expect.any(Number),
        topic: 'notes',
        content: 'one word',
        rendered_content: '<p>one word</p>',
      },
      {
        user_id: adaId,
        timestamp: expect.any(Number),
        topic: 'notes',
        content: 'two words',
        rendered_content: '<p>two words</p>',
        prev_content: 'one word',
        prev_rendered_content: '<p>one word</p>',
        content_html_diff: expect.stringContaining('<span class="highlight_text_inserted">'),
      },
    ]);
  });

  it('has no edit_history where nothing was edited', async () => {
    const id = await send(ada, await channel('unedited', ada), 'as it is');
    const { message } = await ada.must('get', `messages/${id}`);
    expect(message).not.toHaveProperty('edit_history');
    expect(message).not.toHaveProperty('last_edit_timestamp');
  });

  it('is for the sender alone', async () => {
    const id = await send(ada, await channel('of others', ada, { members: [boId] }), 'mine');
    for (const client of [owner, bo]) {
      expect(refusal(await client.patch(`messages/${id}`, { content: 'yours' }))).toEqual([
        400,
        'BAD_REQUEST',
      ]);
    }
    expect(await contents(ada, [['channel', 'of others']])).toEqual(['mine']);
  });

  it('fails when the client has another text in mind', async () => {
    const id = await send(ada, await channel('guards', ada), 'first');
    const stale = { content: 'third', prev_content_sha256: hash('sha256', 'other') };
    const { status, body } = await ada.patch(`messages/${id}`, stale);
    expect([status, body.code, body['field_name']]).toEqual([
      400,
      'EXPECTATION_MISMATCH',
      'prev_content_sha256',
    ]);
    const right = { content: 'second', prev_content_sha256: hash('sha256', 'first') };
    expect((await ada.patch(`messages/${id}`, right)).status).toBe(200);
  });

  it('needs something to change, and says what it does not support', async () => {
    const id = await send(ada, await channel('nothing', ada), 'text');
    expect(refusal(await ada.patch(`messages/${id}`))).toEqual([400, 'BAD_REQUEST']);
    const { body } = await ada.patch(`messages/${id}`, { content: 'text', message_id: id });
    expect(body['ignored_parameters_unsupported']).toEqual(['message_id']);
  });

  it('answers alike for a message that is out of reach and for none', async () => {
    const hidden = await send(ada, await channel('hidden', ada, { invite_only: true }), 'secret');
    const answers = await Promise.all(
      [hidden, 9_999_999].flatMap((id) => [
        bo.get(`messages/${id}`),
        bo.get(`messages/${id}/history`),
        bo.patch(`messages/${id}`, { content: 'x' }),
        bo.delete(`messages/${id}`),
      ]),
    );
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  });
});

describe('deleting', () => {
  it('takes the message away for everyone, once', async () => {
    const to = await channel('deleting', ada, { members: [boId] });
    const id = await send(ada, to, 'gone soon');
    await ada.must('delete', `messages/${id}`);
    expect(await contents(bo, [['channel', 'deleting']])).toEqual([]);
    expect(refusal(await ada.delete(`messages/${id}`))).toEqual([400, 'BAD_REQUEST']);
    expect(refusal(await bo.get(`messages/${id}/history`))).toEqual([400, 'BAD_REQUEST']);
  });

  it('is for senders and administrators', async () => {
    const to = await channel('deleters', ada, { members: [boId, gilId] });
    const id = await send(ada, to, 'stays');
    for (const client of [bo, gil]) {
      expect(refusal(await client.delete(`messages/${id}`))).toEqual([400, 'BAD_REQUEST']);
    }
    await owner.must('delete', `messages/${id}`);
  });

  it('takes a whole topic away, by administrators who can read it', async () => {
    const to = await channel('cleared', ada, { members: [boId] });
    const each = Array.from({ length: 101 }, (_, count) => count);
    await Promise.all(
      each.map((count) => send(bo, { to, topic: count % 2 === 0 ? 'Looms' : 'looms' }, `${count}`)),
    );
    await send(bo, { to, topic: '' }, 'nameless');
    await send(bo, { to, topic: 'kept' }, 'stays');
    const path = `streams/${to}/delete_topic`;
    const refusedTo = await ada.post(path, { topic_name: 'looms' });
    expect(refusal(refusedTo)).toEqual([400, 'UNAUTHORIZED_PRINCIPAL']);
    for (const topic_name of ['LOOMS', 'general chat', 'never there']) {
      // The read models have passed what was deleted before.
      await contents(owner, [['channel', 'cleared']]);
      // One success is enough to delete all of them; a node that lags is asked again.
      const asking = ImpatientClient.of(owner);
      const { body } = await eventually(
        () => asking.post(path, { topic_name }),
        ({ status }) => status !== 503,
      );
      expect(body).toEqual({ result: 'success', msg: '', complete: true });
    }
    expect(await contents(bo, [['channel', 'cleared']])).toEqual(['stays']);
    const hidden = await channel('uncleared', ada, { invite_only: true });
    const answer = await owner.post(`streams/${hidden}/delete_topic`, { topic_name: 'notes' });
    expect([answer.status, answer.body['msg']]).toEqual([400, 'Invalid channel ID']);
  });

  it('ends the topic at its last remaining message', async () => {
    const to = await channel('topics', ada);
    const [first, second] = [
      await send(ada, { to: to, topic: 'Engines' }, 'one'),
      await send(ada, { to: to, topic: 'engines' }, 'two'),
    ];
    const other = await send(ada, { to: to, topic: 'other' }, 'three');
    const topics = async (): Promise<unknown> => {
      const { topics: list } = await ada.must('get', `users/me/${to}/topics`);
      return (list as Reply[]).filter((topic) => topic['name'] !== 'channel events');
    };
    expect(await topics()).toEqual([
      { name: 'other', max_id: other },
      { name: 'engines', max_id: second },
    ]);
    await ada.must('delete', `messages/${second}`);
    await ada.must('delete', `messages/${other}`);
    expect(await topics()).toEqual([{ name: 'Engines', max_id: first }]);
  });
});
