import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, bo, server } from '../support/ada-and-bo.js';
import { budgets } from '../../src/kernel/budgets.js';

let key: string;
let channel: number;

beforeAll(async () => {
  const bot = await bo.must('post', 'bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 });
  key = bot['api_key'] as string;
  channel = await bo.createChannel('builds');
});

interface Sent {
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

async function post(
  name: string,
  { query = {}, headers = {}, body }: Sent,
): Promise<{ status: number; body: object }> {
  const parameters = new URLSearchParams({ api_key: key, ...query }).toString();
  const answer = await fetch(`${server.site}/api/v1/external/${name}?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as object };
}

async function last(
  narrow: readonly object[],
): Promise<{ subject: string; content: string; sender_full_name: string }> {
  const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow, apply_markdown: false };
  return (await bo.must('get', 'messages', page))['messages'].at(-1);
}

describe('the webhook of another program', () => {
  it('becomes a message of the bot, in the channel and topic that its address names', async () => {
    for (const stream of ['builds', String(channel)]) {
      const sent = await post('json', { query: { stream, topic: `from ${stream}` }, body: '{"ready":true}' });
      expect(sent).toEqual({ status: 200, body: { result: 'success', msg: '' } });
      expect(await last([{ operator: 'channel', operand: channel }])).toMatchObject({
        subject: `from ${stream}`,
        sender_full_name: 'Hook',
        content: '```json\n{\n  "ready": true\n}\n```',
      });
    }
  });

  it('becomes a direct message to the bot’s owner where no channel is named', async () => {
    await post('json', { body: '{"direct":1}' });
    const narrow = [{ operator: 'is', operand: 'dm' }];
    expect((await last(narrow)).content).toContain('"direct": 1');
  });

  it('may be a form, as programs for Slack send it', async () => {
    const body = new URLSearchParams({ payload: '{"text":"*up*","channel":"#ops"}' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await post('slack_incoming', { query: { stream: 'builds' }, headers, body });
    expect(sent.body).toEqual({ result: 'success', msg: '', ok: true });
    expect(await last([{ operator: 'channel', operand: channel }])).toMatchObject({
      subject: 'ops',
      content: '**up**',
    });
  });

  it('has errors that programs for Slack understand, also without a key and for a text that is no JSON', async () => {
    const refusals = [
      await post('slack_incoming', { query: { api_key: 'x'.repeat(32) }, body: '{"text":"up"}' }),
      await post('slack_incoming', { query: { stream: 'builds' }, body: '{"text":' }),
      await post('slack_incoming', { query: { stream: 'builds', only_events: '7' }, body: '{"text":"up"}' }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 400, 400]);
    for (const { body } of refusals) {
      const { result, msg, ok, error } = body as Record<string, unknown>;
      expect({ result, ok, error }).toEqual({ result: 'error', ok: false, error: msg });
    }
    const other = await post('json', { query: { stream: 'builds' }, body: '{' });
    expect([other.status, Object.keys(other.body)]).toEqual([
      400,
      expect.not.arrayContaining(['ok', 'error']),
    ]);
  });

  it('is passed over where its event is not chosen', async () => {
    const repository = { name: 'loom', full_name: 'a/loom', html_url: 'https://e.com' };
    const headers = { 'x-github-event': 'ping' };
    const body = JSON.stringify({ repository });
    const before = await last([{ operator: 'channel', operand: channel }]);
    const query = { stream: 'builds', only_events: '["push"]' };
    expect((await post('github', { query, headers, body })).status).toBe(200);
    expect(await last([{ operator: 'channel', operand: channel }])).toEqual(before);
    await post('github', { query: { ...query, only_events: '["p*"]' }, headers, body });
    expect((await last([{ operator: 'channel', operand: channel }])).content).toContain('is set up');
  });

  it('to a channel that does not exist is a success that the owner hears of, once', async () => {
    const missing = async (): Promise<unknown> => post('json', { query: { stream: 'nowhere' }, body: '{}' });
    expect(await missing()).toMatchObject({ status: 200 });
    const notice = await last([{ operator: 'is', operand: 'dm' }]);
    expect(notice).toMatchObject({
      sender_full_name: 'Notification Bot',
      content: expect.stringContaining('nowhere'),
    });
    await missing();
    expect(await last([{ operator: 'is', operand: 'dm' }])).toEqual(notice);
  });

  it.each([
    ['a wrong key', 'json', { query: { api_key: 'x'.repeat(32) }, body: '{}' }, 401],
    ['an unknown program', 'toString', { body: '{}' }, 404],
    ['what is no JSON', 'json', { body: '{' }, 400],
    ['JSON of another kind', 'github', { headers: { 'x-github-event': 'push' }, body: '[]' }, 400],
    [
      'too many events',
      'json',
      { query: { only_events: JSON.stringify(Array(budgets.webhookItems.max + 1).fill('x')) }, body: '{}' },
      400,
    ],
  ])('is refused with %s', async (...[, name, sent, status]) => {
    expect((await post(name, sent)).status).toBe(status);
  });

  it('takes no key of a person', async () => {
    const own = ada.credentials?.key ?? '';
    expect((await post('json', { query: { api_key: own }, body: '{}' })).status).toBe(401);
  });

  it('is told of to clients that register', async () => {
    const state = await ada.must('post', 'register', { fetch_event_types: ['realm_incoming_webhook_bots'] });
    const listed = state['realm_incoming_webhook_bots'] as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual([
      'alertmanager',
      'github',
      'gitlab',
      'grafana',
      'json',
      'slack_incoming',
    ]);
  });
});
