import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, server } from '../support/ada-and-bo.js';
import type { ApiClient } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';

let bot: ApiClient;

beforeAll(async () => {
  ({ client: bot } = await server.createBot(bo, 'Loom bot'));
});

const mention = 'ask @**Loom bot**';

async function send(to: number, content: string, topic = 'looms'): Promise<number> {
  return (await ada.must('post', 'messages', { type: 'channel', to, topic, content }))['id'] as number;
}

/** Ids of what a client finds with a narrow, everywhere. */
async function found(client: ApiClient, narrow: readonly object[] = []): Promise<readonly number[]> {
  const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
  const { messages } = await client.must('get', 'messages', page);
  return (messages as { id: number }[]).map(({ id }) => id);
}

describe('a generic bot that is mentioned where it is not subscribed', () => {
  it.each([
    ['a private channel', { invite_only: true, principals: [] }],
    ['a public channel', { principals: [] }],
  ])('gets the message in %s, and nothing else of it', async (name, settings) => {
    const channel = await ada.createChannel(`mentions in ${name}`, { ...settings, principals: [adaId] });
    const queue = await ClientQueue.register(bot, ['message', 'update_message', 'reaction']);
    const before = await send(channel, 'just us');
    const id = await send(channel, mention);
    const after = await send(channel, 'just us again');
    await ada.must('patch', `messages/${id}`, { content: `${mention} now` });
    const events = [...(await queue.next())];
    while (events.length < 2) events.push(...(await queue.next()));
    expect(events).toEqual([
      expect.objectContaining({
        type: 'message',
        flags: ['mentioned'],
        message: expect.objectContaining({ id }),
      }),
      expect.objectContaining({ type: 'update_message', message_id: id }),
    ]);
    const own = await found(bot);
    expect(own).toContain(id);
    expect(own).not.toContain(before);
    expect(own).not.toContain(after);
    expect(await found(bot, [{ operator: 'is', operand: 'mentioned' }])).toContain(id);
    const { message } = await bot.must('get', `messages/${id}`);
    expect(message.flags).toEqual(['mentioned']);
    await bot.must('post', 'messages/flags', { messages: [id], op: 'add', flag: 'read' });
    expect((await bot.must('get', `messages/${id}`))['message'].flags).toEqual(['read', 'mentioned']);
  });

  it('sees no more of a private channel by it', async () => {
    const channel = await ada.createChannel('closed looms', { invite_only: true, principals: [adaId] });
    await send(channel, mention);
    const hidden = await send(channel, 'just us');
    expect((await bot.get(`messages/${hidden}`)).status).toBe(400);
    expect((await bot.get(`streams/${channel}`)).status).toBe(400);
    expect(await found(bot, [{ operator: 'channel', operand: channel }])).toEqual([]);
    expect((await bot.post(`messages/${hidden}/reactions`, { emoji_name: 'tada' })).status).toBe(400);
  });

  it('loses the message when that moves to a channel that it is not subscribed to', async () => {
    const [from, to] = [
      await ada.createChannel('looms from', { invite_only: true, principals: [adaId] }),
      await ada.createChannel('looms to', { invite_only: true, principals: [adaId] }),
    ];
    const queue = await ClientQueue.register(bot, ['delete_message'], { bulk_message_deletion: true });
    const id = await send(from, mention);
    await ada.must('patch', `messages/${id}`, { stream_id: to, propagate_mode: 'change_all' });
    expect(await queue.next()).toEqual([
      expect.objectContaining({ type: 'delete_message', message_ids: [id] }),
    ]);
    expect((await bot.get(`messages/${id}`)).status).toBe(400);
  });

  it('is one of its own kind: people and other bots that are mentioned get nothing', async () => {
    const webhook = await bo.must('post', 'bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 });
    const channel = await ada.createChannel('closed hooks', { invite_only: true, principals: [adaId] });
    const id = await send(channel, 'ask @**Bo** and @**Hook**');
    expect((await bo.get(`messages/${id}`)).status).toBe(400);
    expect(await found(bo)).not.toContain(id);
    const { events } = await (
      await server.owner()
    ).must('get', 'audit/log', { type: 'MessageSent', limit: 1000 });
    const sent = (events as { data: { mentions: { userIds: number[] }; givenToIds?: number[] } }[]).filter(
      ({ data }) => data.mentions.userIds.includes(webhook['user_id'] as number),
    );
    expect(sent.map(({ data }) => [data.mentions.userIds.includes(boId), data.givenToIds])).toEqual([
      [true, undefined],
    ]);
  });
});
