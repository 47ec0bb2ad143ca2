import { describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';

async function direct(sender: ApiClient, to: number, content = 'hello'): Promise<number> {
  return (await sender.must('post', 'messages', { type: 'direct', to: [to], content }))['id'] as number;
}

/** The text may begin with a topic and a colon. */
async function say(sender: ApiClient, to: number, text: string): Promise<number> {
  const [, topic = 'looms', content = ''] = /^(?:(\w+): )?(.*)$/.exec(text) ?? [];
  return (await sender.must('post', 'messages', { type: 'channel', to, topic, content }))['id'] as number;
}

async function flagsOf(client: ApiClient, id: number): Promise<readonly string[]> {
  return (await client.must('get', `messages/${id}`))['message'].flags as string[];
}

describe('muting somebody', () => {
  it('marks only their unread messages as read, in one event', async () => {
    const { client: cy, id: cyId } = await server.createUser(owner, 'Cy');
    const channel = await ada.createChannel('muting', { principals: [adaId, boId, cyId] });
    const unread = [await say(bo, channel, 'one'), await direct(bo, cyId), await say(bo, channel, 'two')];
    const other = await say(ada, channel, 'three');
    const queue = await ClientQueue.register(cy, ['update_message_flags']);
    await cy.must('post', `users/me/muted_users/${boId}`);
    for (const id of unread) expect(await flagsOf(cy, id)).toContain('read');
    expect(await flagsOf(cy, other)).not.toContain('read');
    expect(await queue.next()).toEqual([
      expect.objectContaining({ op: 'add', flag: 'read', messages: unread, all: false }),
    ]);
  });
});

describe('mentions in what somebody muted', () => {
  it('count when they are by name, not when they are of everyone', async () => {
    const { client: di, id: diId } = await server.createUser(owner, 'Di');
    const channel = await ada.createChannel('muted mentions', { principals: [adaId, diId] });
    await di.must('patch', `users/me/subscriptions/${channel}`, { property: 'is_muted', value: true });
    await say(ada, channel, '@**all** look');
    const named = await say(ada, channel, 'named: @**Di** look');
    await di.must('post', 'user_topics', { stream_id: channel, topic: 'heard', visibility_policy: 2 });
    const heard = await say(ada, channel, 'heard: @**all** look');
    const { unread_msgs: unread } = await di.must('post', 'register', {
      fetch_event_types: ['message', 'update_message_flags'],
    });
    expect(unread.mentions).toEqual([named, heard]);
  });
});

describe('read receipts', () => {
  it('name everybody with the message among their own who read it, including former subscribers and bots', async () => {
    await owner.must('patch', 'realm', { enable_read_receipts: true });
    const { client: ed, id: edId } = await server.createUser(owner, 'Ed');
    const { client: flo, id: floId } = await server.createUser(owner, 'Flo');
    const { client: bot, id: botId } = await server.createBot(bo, 'Reader');
    const channel = await ada.createChannel('receipts', { principals: [adaId, edId, botId] });
    const id = await say(ada, channel, 'read this');
    const receipts = async (client = ada): Promise<readonly number[]> =>
      (await client.must('get', `messages/${id}/read_receipts`))['user_ids'] as number[];
    await ada.must('post', 'messages/flags', { messages: [id], op: 'add', flag: 'read' });
    // Never whoever sent it.
    expect(await receipts()).toEqual([]);
    await bot.must('post', 'messages/flags', { messages: [id], op: 'add', flag: 'read' });
    await ed.must('delete', 'users/me/subscriptions', { subscriptions: ['receipts'] });
    await flo.must('post', 'messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    expect(await receipts()).toEqual([edId, floId, botId].sort((one, other) => one - other));
    await flo.must('patch', 'settings', { send_read_receipts: false });
    await ed.must('post', `users/me/muted_users/${adaId}`);
    expect(await receipts()).toEqual([botId]);
    expect(await receipts(bo)).toEqual([edId, botId].sort((one, other) => one - other));
  });
});

describe('taking stars away', () => {
  it('passes over messages that do not exist or cannot be seen', async () => {
    const id = await direct(ada, adaId, 'mine');
    await ada.must('post', 'messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    const queue = await ClientQueue.register(ada, ['update_message_flags']);
    const all = [id, 999_999];
    expect((await ada.post('messages/flags', { messages: all, op: 'add', flag: 'starred' })).status).toBe(
      400,
    );
    await ada.must('post', 'messages/flags', { messages: all, op: 'remove', flag: 'starred' });
    expect(await queue.next()).toEqual([expect.objectContaining({ op: 'remove', messages: [id] })]);
  });
});

describe('drafts that are not to be synchronized', () => {
  it('are refused with whatever is asked of them', async () => {
    const draft = { type: 'private', to: [boId], topic: '', content: 'later' };
    const { ids } = await ada.must('post', 'drafts', { drafts: [draft] });
    await ada.must('patch', 'settings', { enable_drafts_synchronization: false });
    const answers = [
      await ada.get('drafts'),
      await ada.post('drafts', { drafts: [draft] }),
      await ada.patch(`drafts/${String(ids[0])}`, { draft }),
      await ada.delete(`drafts/${String(ids[0])}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    await ada.must('patch', 'settings', { enable_drafts_synchronization: true });
    expect(await ada.must('get', 'drafts')).toMatchObject({ drafts: [] });
  });
});

describe('the status of another', () => {
  it('is sent to clients for active people only', async () => {
    const { client: bot, id: botId } = await server.createBot(bo, 'Status bot');
    const { client: gus, id: gusId } = await server.createUser(owner, 'Gus');
    await gus.must('post', 'users/me/status', { status_text: 'here' });
    expect((await ada.must('get', `users/${gusId}/status`))['status']).toEqual({ status_text: 'here' });
    await owner.must('delete', `users/${gusId}`);
    expect((await ada.get(`users/${gusId}/status`)).status).toBe(400);
    expect((await ada.get(`users/${botId}/status`)).status).toBe(400);
    expect((await bot.get('users/me/status')).status).toBe(200);
  });
});

describe('the history of a direct message', () => {
  it('has an empty topic, whatever the client knows of such', async () => {
    const id = await direct(ada, boId, 'first');
    await ada.must('patch', `messages/${id}`, { content: 'second' });
    for (const allow_empty_topic_name of [true, false]) {
      const { message_history: history } = await bo.must('get', `messages/${id}/history`, {
        allow_empty_topic_name,
      });
      expect((history as { topic: string }[]).map(({ topic }) => topic)).toEqual(['', '']);
    }
  });
});

describe('a page of a channel that one may not know', () => {
  it('echoes its anchor', async () => {
    const hidden = await ada.createChannel('hidden pages', { invite_only: true, principals: [adaId] });
    const narrow = [{ operator: 'channel', operand: hidden }];
    const page = async (anchor: number | string): Promise<unknown> =>
      bo.must('get', 'messages', { anchor, num_before: 1, num_after: 1, narrow });
    const nothing = { messages: [], found_anchor: false, found_oldest: true, found_newest: true };
    expect(await page(17)).toMatchObject({ ...nothing, anchor: 17 });
    expect(await page('oldest')).toMatchObject({ ...nothing, anchor: 0 });
    for (const anchor of ['newest', 'first_unread']) {
      expect(await page(anchor)).toMatchObject({ ...nothing, anchor: 10_000_000_000_000_000 });
    }
  });
});

describe('an archived channel', () => {
  it('can be subscribed to and left; clients with support for archived channels get events about it', async () => {
    const channel = await ada.createChannel('attic');
    await ada.must('delete', `streams/${channel}`);
    const knowing = await ClientQueue.register(bo, ['subscription'], { archived_channels: true });
    await bo.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'attic' }] });
    expect(await knowing.next()).toEqual([
      expect.objectContaining({
        op: 'add',
        subscriptions: [expect.objectContaining({ stream_id: channel })],
      }),
    ]);
    const { is_subscribed: is } = await bo.must('get', `users/${boId}/subscriptions/${channel}`);
    expect(is).toBe(true);
    const left = await bo.must('delete', 'users/me/subscriptions', { subscriptions: ['attic'] });
    expect(left['removed']).toEqual(['attic']);
  });
});

describe('a deactivated user group', () => {
  it('can be changed only by those who manage it', async () => {
    const { group_id: id } = await ada.must('post', 'user_groups/create', {
      name: 'weavers',
      description: 'They weave.',
      members: [adaId],
    });
    const path = `user_groups/${String(id)}`;
    await ada.must('post', `${path}/deactivate`);
    expect((await bo.patch(path, { description: 'Mine' })).status).toBe(400);
    await ada.must('patch', path, {
      description: 'They wove.',
      can_mention_group: { new: { direct_members: [adaId], direct_subgroups: [] } },
    });
    await ada.must('post', `${path}/members`, { add: [boId] });
    const { user_groups: groups } = await ada.must('get', 'user_groups', {
      include_deactivated_groups: true,
    });
    const found = (groups as { id: number }[]).find((group) => group.id === id);
    expect(found).toMatchObject({
      deactivated: true,
      description: 'They wove.',
      members: [adaId, boId],
      can_mention_group: { direct_members: [adaId], direct_subgroups: [] },
    });
  });
});

describe('messages that move to a public channel', () => {
  it('are no longer the own messages of people who are not subscribed to it, who can still see them', async () => {
    const { client: hal, id: halId } = await server.createUser(owner, 'Hal');
    const from = await ada.createChannel('moving from', { principals: [adaId, halId] });
    const to = await ada.createChannel('moving to', { principals: [adaId] });
    const id = await say(ada, from, '@**Hal** unread');
    const queue = await ClientQueue.register(hal, ['update_message', 'delete_message']);
    await ada.must('patch', `messages/${id}`, { stream_id: to, propagate_mode: 'change_all' });
    expect(await queue.next()).toEqual([
      expect.objectContaining({ type: 'update_message', message_ids: [id], new_stream_id: to }),
    ]);
    expect(await flagsOf(hal, id)).toEqual(['read', 'historical']);
    const { messages } = await hal.must('get', 'messages', { anchor: id, num_before: 0, num_after: 0 });
    expect(messages).toEqual([]);
  });
});
