import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient } from '../support/api-client.js';
import { budgets } from '../../src/kernel/budgets.js';

let looms: number;

beforeAll(async () => {
  looms = await ada.createChannel('looms', { principals: [adaId, boId] });
});

async function send(client: ApiClient, topic: string, content: string): Promise<number> {
  const sent = await client.must('post', 'messages', { type: 'channel', to: looms, topic, content });
  return sent['id'] as number;
}

async function contentOf(client: ApiClient, id: number): Promise<string> {
  const { message } = await client.must('get', `messages/${id}`);
  return (message as { readonly content: string }).content;
}

async function render(client: ApiClient, content: string): Promise<string> {
  return (await client.must('post', 'messages/render', { content }))['rendered'] as string;
}

const place = (topic: string): string => `/#narrow/channel/${looms}-looms/topic/${topic}`;

describe('a link to a topic', () => {
  it('names its newest message, in any letter case', async () => {
    await send(ada, 'lunch', 'Soup');
    const newest = await send(ada, 'lunch', 'Bread');
    const link = await send(bo, 'plans', '#**looms>lunch** #**looms>Lunch** #**looms>supper**');
    const html = await contentOf(ada, link);
    expect(html).toContain(`href="${place('lunch')}/with/${newest}">#looms &gt; lunch</a>`);
    expect(html).toContain(`href="${place('Lunch')}/with/${newest}">`);
    expect(html).toContain(`href="${place('supper')}">`);
  });

  it('names what was the newest when the text was edited', async () => {
    const first = await send(ada, 'edited', 'one');
    const link = await send(ada, 'plans', 'soon');
    await ada.must('patch', `messages/${link}`, { content: '#**looms>edited**' });
    await send(ada, 'edited', 'two');
    expect(await contentOf(ada, link)).toContain(`${place('edited')}/with/${first}">`);
  });

  it('leads on with the narrow `with` after the topic was renamed', async () => {
    const id = await send(ada, 'renamed', 'here');
    await ada.must('patch', `messages/${id}`, { topic: 'elsewhere', propagate_mode: 'change_all' });
    const { messages } = await bo.must('get', 'messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [
        { operator: 'channel', operand: looms },
        { operator: 'topic', operand: 'renamed' },
        { operator: 'with', operand: id },
      ],
    });
    expect((messages as { readonly id: number }[]).map((message) => message.id)).toContain(id);
  });

  it('names only messages that its writer can see', async () => {
    const closed = await ada.createChannel('closed looms', {
      principals: [adaId, boId],
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const early = await ada.must('post', 'messages', {
      type: 'channel',
      to: closed,
      topic: 'threads',
      content: 'a',
    });
    await owner.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'looms' }] });
    await ada.must('post', 'users/me/subscriptions', {
      subscriptions: [{ name: 'closed looms' }],
      principals: [(await owner.must('get', 'users/me'))['user_id'] as number],
    });
    expect(await render(bo, '#**closed looms>threads**')).toContain(
      `/topic/threads/with/${String(early['id'])}"`,
    );
    expect(await render(owner, '#**closed looms>threads**')).toContain('/topic/threads"');
    const { client: stranger } = await server.createUser(owner, 'Stranger');
    expect(await render(stranger, '#**closed looms>threads**')).not.toContain('<a');
  });

  it('is looked up for a maximum number of topics in a text', async () => {
    const { max } = budgets.linkedTopics;
    const topics = Array.from({ length: max + 1 }, (_one, index) => `t${index}`);
    for (const topic of topics) await send(ada, topic, 'x');
    const html = await render(ada, topics.map((topic) => `#**looms>${topic}**`).join(' '));
    expect(html.match(/\/with\//g)).toHaveLength(max);
    expect(html).toContain(`${place(`t${max}`)}">`);
  });
});
