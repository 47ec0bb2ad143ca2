import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  ({ client: ada } = await server.createUser(owner, 'Ada'));
  await ada.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'looms' }] });
});

afterAll(async () => {
  await server.stop();
});

const issues = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/issues/{id}' };

async function linkifiers(client = ada): Promise<readonly Reply[]> {
  return (await client.must('get', 'realm/linkifiers'))['linkifiers'] as Reply[];
}

async function add(parameters: Record<string, unknown>): Promise<number> {
  return (await owner.must('post', 'realm/filters', parameters))['id'] as number;
}

async function send(content: string, topic = 'threads'): Promise<Reply> {
  const { id } = await ada.must('post', 'messages', { type: 'channel', to: 'looms', topic, content });
  return (await ada.must('get', `messages/${id}`))['message'] as Reply;
}

beforeEach(async () => {
  for (const { id } of await linkifiers()) await owner.must('delete', `realm/filters/${id}`);
});

describe('linkifiers', () => {
  it('are listed for everyone, in their order, with all that they were given', async () => {
    const whole = {
      pattern: 'W-(?P<n>[0-9]+)',
      url_template: 'https://example.com/{n}',
      example_input: 'W-12',
      reverse_template: 'W-{n}',
      alternative_url_templates: ['https://example.com/w/{n}'],
    };
    const [first, second] = [await add(issues), await add(whole)];
    expect(await linkifiers()).toEqual([
      { id: first, ...issues, example_input: null, reverse_template: null, alternative_url_templates: [] },
      { id: second, ...whole },
    ]);
  });

  it('are kept without the blanks around them, and without an example that is blank', async () => {
    const blank = { example_input: ' ', reverse_template: ' ' };
    const id = await add({
      pattern: ` ${issues.pattern}`,
      url_template: `${issues.url_template} `,
      ...blank,
    });
    const none = { example_input: null, reverse_template: null, alternative_url_templates: [] };
    expect(await linkifiers()).toEqual([{ id, ...issues, ...none }]);
  });

  it('make links of texts and topics from then on, and what was linked stays so', async () => {
    const before = await send('see #7');
    const id = await add(issues);
    const message = await send('see #7 and `#8`', 'about #9');
    expect(message['content']).toBe(
      '<p>see <a href="https://example.com/issues/7">#7</a> and <code>#8</code></p>',
    );
    expect(message['topic_links']).toEqual([{ text: '#9', url: 'https://example.com/issues/9' }]);
    await owner.must('delete', `realm/filters/${id}`);
    const again = (await ada.must('get', `messages/${message['id']}`))['message'] as Reply;
    expect(again['content']).toBe(message['content']);
    expect(again['topic_links']).toEqual([]);
    expect(before['content']).toBe('<p>see #7</p>');
  });

  it('are changed in place; an empty text takes an example or a way back away', async () => {
    const id = await add({ ...issues, example_input: '#12', reverse_template: '#{id}' });
    const change = { ...issues, url_template: 'https://example.org/{id}', reverse_template: '' };
    await owner.must('patch', `realm/filters/${id}`, change);
    expect(await linkifiers()).toEqual([
      {
        id,
        pattern: issues.pattern,
        url_template: 'https://example.org/{id}',
        example_input: '#12',
        reverse_template: null,
        alternative_url_templates: [],
      },
    ]);
  });

  it('are put in another order, in which the first that matches wins', async () => {
    const first = await add(issues);
    const second = await add({ pattern: '#(?P<n>[0-9]{3})', url_template: 'https://example.com/long/{n}' });
    await owner.must('patch', 'realm/linkifiers', { ordered_linkifier_ids: [second, first] });
    expect((await linkifiers()).map(({ id }) => id as number)).toEqual([second, first]);
    expect((await send('#123'))['content']).toBe('<p><a href="https://example.com/long/123">#123</a></p>');
  });

  it('are told as a whole to clients that know URL templates', async () => {
    const [older, newer] = await Promise.all([
      ClientQueue.register(ada, ['realm_linkifiers', 'alert_words']),
      ClientQueue.register(ada, ['realm_linkifiers'], { linkifier_url_template: true }),
    ]);
    await add(issues);
    expect(await newer.next()).toEqual([{ type: 'realm_linkifiers', realm_linkifiers: await linkifiers() }]);
    const { state } = await ClientQueue.register(ada, ['realm_linkifiers'], { linkifier_url_template: true });
    expect(state['realm_linkifiers']).toEqual(await linkifiers());
    expect(older.state['realm_linkifiers']).toEqual([]);
    await ada.must('post', 'users/me/alert_words', { alert_words: ['loom'] });
    expect((await older.next()).map(({ type }) => type as string)).toEqual(['alert_words']);
  });

  it('make links of the topic that messages are moved to', async () => {
    await add(issues);
    const { id } = await send('moved');
    const queue = await ClientQueue.register(ada, ['update_message']);
    await ada.must('patch', `messages/${id as number}`, { topic: 'threads of #5' });
    expect(await queue.next()).toMatchObject([
      { subject: 'threads of #5', topic_links: [{ text: '#5', url: 'https://example.com/issues/5' }] },
    ]);
  });

  it('are refused with what is wrong, also in a map', async () => {
    const { status, body } = await owner.post('realm/filters', { ...issues, url_template: 'https://x/{no}' });
    const msg = "Group 'no' in URL template is not present in linkifier pattern.";
    expect([status, body]).toEqual([
      400,
      { result: 'error', code: 'BAD_REQUEST', msg, errors: { __all__: [msg] } },
    ]);
  });

  it.each<readonly [string, (client: ApiClient) => Promise<{ status: number; body: Reply }>, string]>([
    [
      'adding one without a pattern',
      (c) => c.post('realm/filters', { url_template: 'x' }),
      'REQUEST_VARIABLE_MISSING',
    ],
    [
      'adding one without a template',
      (c) => c.post('realm/filters', { pattern: 'x' }),
      'REQUEST_VARIABLE_MISSING',
    ],
    ['changing one that does not exist', (c) => c.patch('realm/filters/9999', issues), 'BAD_REQUEST'],
    ['removing one that does not exist', (c) => c.delete('realm/filters/9999'), 'BAD_REQUEST'],
    [
      'ordering others than there are',
      (c) => c.patch('realm/linkifiers', { ordered_linkifier_ids: [9999] }),
      'BAD_REQUEST',
    ],
  ])('refuse %s', async (_what, call, code) => {
    const { status, body } = await call(owner);
    expect([status, body.code]).toEqual([400, code]);
  });

  it('are administrators’ to change', async () => {
    const id = await add(issues);
    const answers = await Promise.all([
      ada.post('realm/filters', { ...issues, pattern: '!(?P<id>[0-9]+)' }),
      ada.patch(`realm/filters/${id}`, issues),
      ada.delete(`realm/filters/${id}`),
      ada.patch('realm/linkifiers', { ordered_linkifier_ids: [id] }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      Array(4).fill([400, 'UNAUTHORIZED_PRINCIPAL']),
    );
    expect(await linkifiers()).toHaveLength(1);
  });
});
