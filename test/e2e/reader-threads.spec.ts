import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestServer } from '../support/server.js';
import type { ApiClient } from '../support/api-client.js';

let server: TestServer;
let owner: ApiClient;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
});

afterAll(async () => {
  await server.stop();
});

/** The value of a line of `/metrics`; 0: there is none. */
async function metric(line: string): Promise<number> {
  const text = await (await fetch(`${server.site}/metrics`)).text();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? 0 : Number(found.slice(line.length + 1));
}

function answered(query: string): Promise<number> {
  return metric(`palimpsest_query_duration_seconds_count{query="${query}"}`);
}

describe('Reader threads', () => {
  it.each([
    ['GetMessages', 'messages', { anchor: 'oldest', num_before: 0, num_after: 5 }],
    ['GetUsers', 'users', {}],
    ['GetUserGroups', 'user_groups', {}],
    ['GetAttachments', 'attachments', {}],
    ['GetChannels', 'streams', {}],
    ['GetSubscriptions', 'users/me/subscriptions', {}],
    ['GetLogPage', 'audit/log', { limit: 1_000 }],
  ])('answer %s', async (query, path, parameters) => {
    const before = await answered(query);
    expect(await owner.must('get', path, parameters)).toMatchObject({ result: 'success' });
    expect(await answered(query)).toBe(before + 1);
  });

  it('count the rows that a query reads', async () => {
    const rows = (): Promise<number> => metric('palimpsest_query_rows_sum{query="GetMessages"}');
    await owner.must('post', 'users/me/subscriptions', { subscriptions: '[{"name":"counted"}]' });
    for (let number = 0; number < 7; number += 1)
      await owner.must('post', 'messages', { type: 'channel', to: 'counted', topic: 'here', content: 'one' });
    const before = await rows();
    const narrow = JSON.stringify([{ operator: 'channel', operand: 'counted' }]);
    await owner.must('get', 'messages', { anchor: 'oldest', num_before: 0, num_after: 50, narrow });
    // A message may be read from an index first, and then as a document.
    expect((await rows()) - before).toBeGreaterThanOrEqual(7);
    expect((await rows()) - before).toBeLessThan(50);
  });

  it('give the unread messages to clients that register, after their queue is open', async () => {
    const before = await answered('GetMessageState');
    const state = await owner.must('post', 'register', {});
    expect(state).toMatchObject({ unread_msgs: { old_unreads_missing: false }, starred_messages: [] });
    expect(await answered('GetMessageState')).toBe(before + 1);
    const bare = await owner.must('post', 'register', { fetch_event_types: '["realm"]' });
    expect(bare).not.toHaveProperty('max_message_id');
    expect(await answered('GetMessageState')).toBe(before + 1);
  });

  it('tell the life of a message, and refuse that of none', async () => {
    await owner.must('post', 'users/me/subscriptions', {
      subscriptions: JSON.stringify([{ name: 'lived' }]),
    });
    const message = { type: 'channel', to: 'lived', topic: 'here', content: 'sent' };
    const { id } = await owner.must('post', 'messages', message);
    const before = await answered('GetMessageTimeline');
    expect(await owner.must('get', `audit/messages/${id}/history`)).toMatchObject({ message_id: id });
    expect(await owner.get('audit/messages/4711/history')).toMatchObject({
      body: { msg: 'Invalid message(s)' },
    });
    expect(await answered('GetMessageTimeline')).toBe(before + 2);
  });

  it('set formulas, and leave short texts without any to the request thread', async () => {
    const before = await answered('RenderResolvedText');
    const { rendered } = await owner.must('post', 'messages/render', { content: 'so $$x^2$$, @**Owner**' });
    expect(rendered).toContain('class="katex"');
    expect(rendered).toContain('class="user-mention"');
    expect(await answered('RenderResolvedText')).toBe(before + 1);
    await owner.must('post', 'messages/render', { content: 'without **any**' });
    expect(await answered('RenderResolvedText')).toBe(before + 1);
  });

  it('find the messages of a narrow whose flags are changed', async () => {
    await owner.must('post', 'users/me/subscriptions', { subscriptions: JSON.stringify([{ name: 'kept' }]) });
    const message = { type: 'channel', to: 'kept', topic: 'here', content: 'to keep' };
    const { id } = await owner.must('post', 'messages', message);
    const before = await answered('FindFlagsPage');
    const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow: '[]', op: 'add', flag: 'starred' };
    const changed = await owner.must('post', 'messages/flags/narrow', page);
    expect(changed).toMatchObject({ processed_count: 1, updated_count: 1, last_processed_id: id });
    expect(await answered('FindFlagsPage')).toBe(before + 1);
  });

  it('show each client what it has just written, the directory and messages alike', async () => {
    for (let round = 0; round < 10; round += 1) {
      const name = `channel ${round}`;
      await owner.must('post', 'users/me/subscriptions', { subscriptions: JSON.stringify([{ name }]) });
      const { streams } = await owner.must('get', 'streams');
      expect((streams as { name: string }[]).map((one) => one.name)).toContain(name);
      const sent = await owner.must('post', 'messages', {
        type: 'channel',
        to: name,
        topic: 'here',
        content: `round ${round}`,
      });
      const page = { anchor: 'newest', num_before: 1, num_after: 0 };
      const { messages } = await owner.must('get', 'messages', page);
      expect((messages as { id: number }[]).at(-1)?.id).toBe(sent['id']);
    }
  });

  it('include ignored parameters in replies, as every endpoint does', async () => {
    expect(await owner.must('get', 'users', { colour: 'blue' })).toMatchObject({
      ignored_parameters_unsupported: ['colour'],
    });
  });

  it('refuse as the request thread does', async () => {
    const narrow = JSON.stringify([{ operator: 'nowhere', operand: 'x' }]);
    const parameters = { anchor: 'newest', num_before: 1, num_after: 0, narrow };
    expect(await owner.get('messages', parameters)).toMatchObject({ body: { code: 'BAD_NARROW' } });
    expect(await owner.get('users/me/999/topics')).toMatchObject({ body: { msg: 'Invalid channel ID' } });
  });

  it.each(['request', 'projector', 'readers'])(
    'and others: the delays of "%s" are counted',
    async (thread) => {
      expect(await metric(`palimpsest_event_loop_delay_seconds_count{thread="${thread}"}`)).toBeGreaterThan(
        0,
      );
      expect(
        await metric(`palimpsest_event_loop_delay_seconds_bucket{le="+Inf",thread="${thread}"}`),
      ).toBeGreaterThan(0);
    },
  );
});
