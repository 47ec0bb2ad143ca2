import { describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient, Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';

const welcomeBot = 2;

/** What one of the server's bots said to somebody, without what it greeted them with. */
async function saidBy(name: string, client: ApiClient): Promise<readonly string[]> {
  const { messages } = await client.must('get', 'messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'is', operand: 'dm' }],
  });
  return (messages as Reply[])
    .filter((message) => message['sender_full_name'] === name)
    .map((message) => message['content'] as string)
    .filter((content) => !content.startsWith('Hello, and welcome'));
}

describe('the owner of a bot', () => {
  const notified = (client: ApiClient): Promise<readonly string[]> => saidBy('Notification Bot', client);
  const to = (channel: string | number): object => ({
    type: 'channel',
    to: channel,
    topic: 'x',
    content: 'x',
  });

  it('hears once, and for each bot, that it sends to channels that do not exist', async () => {
    const { client: keeper } = await server.createUser(owner, 'Keeper');
    const { client: bot } = await server.createBot(keeper, 'Loom bot');
    const { client: otherBot } = await server.createBot(keeper, 'Shuttle bot');
    for (const channel of ['nowhere', 'nowhere', 99_999]) {
      const answer = await bot.post('messages', { ...to(channel) });
      expect([answer.status, answer.body.code]).toEqual([400, 'STREAM_DOES_NOT_EXIST']);
    }
    await otherBot.post('messages', { ...to(99_999) });
    const [byName, byId, ...more] = await notified(keeper);
    expect(byName).toContain(
      'Loom bot tried to send a message to the channel “nowhere”, which does not exist',
    );
    expect(byId).toContain('Shuttle bot tried to send a message to the channel with the ID 99999');
    expect(more).toEqual([]);
  });

  it('hears that nobody is subscribed where it sends', async () => {
    const { client: keeper } = await server.createUser(owner, 'Other keeper');
    const { client: bot } = await server.createBot(keeper, 'Spinning bot');
    const channel = await ada.createChannel('left alone', { principals: [adaId] });
    await bot.must('post', 'messages', { ...to(channel) });
    expect(await notified(keeper)).toEqual([]);
    await ada.must('delete', 'users/me/subscriptions', { subscriptions: ['left alone'] });
    await bot.must('post', 'messages', { ...to(channel) });
    await bot.must('post', 'messages', { ...to(channel) });
    expect(await notified(keeper)).toEqual([
      expect.stringContaining('“left alone”, to which nobody is subscribed'),
    ]);
  });

  it('is not notified of failures of people: these get an error in the reply', async () => {
    expect((await bo.post('messages', { ...to('nowhere') })).status).toBe(400);
    expect(await notified(bo)).toEqual([]);
  });
});

describe('the welcome bot', () => {
  const say = async (client: ApiClient, content: string, others: readonly number[] = []): Promise<void> => {
    await client.must('post', 'messages', { type: 'direct', to: [welcomeBot, ...others], content });
  };
  const answers = (client: ApiClient, count: number): Promise<readonly string[]> =>
    eventually(
      () => saidBy('Welcome Bot', client),
      ({ length }) => length >= count,
    );

  it('answers words that it knows, each time', async () => {
    const { client } = await server.createUser(owner, 'Newcomer');
    await say(client, 'topics');
    await say(client, ' Help! ');
    await say(client, 'topics');
    const [first, second, third] = await answers(client, 3);
    expect(first).toContain('Topics say what a message is about');
    expect(second).toContain('Ask me about');
    expect(third).toBe(first);
  });

  it('answers other words once, with a hint', async () => {
    const { client } = await server.createUser(owner, 'Chatty');
    for (const word of ['How are you?', 'And now?', 'Hm', 'apps']) await say(client, word);
    const said = await answers(client, 2);
    expect(said).toEqual([
      expect.stringContaining('Try one of these words'),
      expect.stringContaining('phone'),
    ]);
  });

  it('answers neither bots nor groups', async () => {
    const { client } = await server.createUser(owner, 'Third');
    const { client: bot } = await server.createBot(client, 'Talking bot');
    await say(bot, 'help');
    await say(client, 'help', [adaId]);
    await say(client, 'topics');
    expect(await answers(client, 1)).toEqual([expect.stringContaining('Topics say')]);
    expect(await saidBy('Welcome Bot', bot)).toEqual([]);
  });
});
