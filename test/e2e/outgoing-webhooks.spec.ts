import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import type { ApiClient, Reply } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A program that bots are. */
const received: Received[] = [];
/** What it answers; 0: it ends the connection without a word. */
let status = 200;
let answer = '{}';
let target: Server;
let url: string;

let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let adaId: number;
let bo: ApiClient;
let channel: number;

beforeAll(async () => {
  target = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, text });
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, { location: '/elsewhere' }).end(answer);
    });
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`;
  server = await TestServer.start({ environment: { OUTGOING_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } });
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  ({ client: bo } = await server.createUser(owner, 'Bo'));
  channel = await ada.createChannel('looms', { principals: [adaId], invite_only: true });
});

afterAll(async () => {
  await server.stop();
  target.closeAllConnections();
  await new Promise<void>((resolve) => target.close(() => resolve()));
});

beforeEach(() => {
  received.length = 0;
  status = 200;
  answer = '{}';
});

/** Makes a bot of Bo's, whose requests go to the program unless something else is said. */
async function createBot(name: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const short_name = name.toLowerCase().replaceAll(' ', '-');
  const made = await bo.must('post', 'bots', {
    full_name: name,
    short_name,
    bot_type: 3,
    payload_url: JSON.stringify(url),
    ...parameters,
  });
  return made['user_id'] as number;
}

async function ask(name: string, topic: string): Promise<number> {
  const content = `@**${name}** what *now*?`;
  const sent = await ada.must('post', 'messages', { type: 'channel', to: channel, topic, content });
  return sent['id'] as number;
}

async function messages(client: ApiClient, narrow: readonly object[]): Promise<readonly Reply[]> {
  const page = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false, narrow };
  return (await client.must('get', 'messages', page))['messages'] as Reply[];
}

const inTopic = (topic: string): readonly object[] => [
  { operator: 'channel', operand: channel },
  { operator: 'topic', operand: topic },
];

/** What was said in a topic after the question, once something was. */
async function replies(topic: string): Promise<readonly Reply[]> {
  const said = await eventually(
    () => messages(ada, inTopic(topic)),
    ({ length }) => length > 1,
  );
  return said.slice(1);
}

/** What Bo was told of a bot, once something was. */
function toldOf(name: string): Promise<readonly Reply[]> {
  return eventually(
    async () =>
      (await messages(bo, [{ operator: 'is', operand: 'dm' }])).filter((message) =>
        (message['content'] as string).includes(`your bot ${name}`),
      ),
    ({ length }) => length > 0,
  );
}

describe('an outgoing webhook bot', () => {
  it('is sent what mentions it where it is not subscribed, and says there what is answered', async () => {
    answer = JSON.stringify({ content: 'Weave **on**.' });
    const botId = await createBot('Loom bot');
    const id = await ask('Loom bot', 'asked');
    expect(await replies('asked')).toMatchObject([{ sender_id: botId, content: 'Weave **on**.' }]);
    const [request, ...more] = received;
    expect(more).toEqual([]);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
    const { realm_bots: listed } = await bo.must('post', 'register', { fetch_event_types: ['realm_bot'] });
    const { services } = (listed as Reply[]).find((bot) => bot['user_id'] === botId) as Reply;
    const { token } = (services as { token: string }[])[0]!;
    expect(services).toEqual([{ base_url: url, interface: 1, token: expect.stringMatching(/^.{32}$/) }]);
    const { bots } = await bo.must('get', 'bots');
    expect((bots as Reply[]).find((bot) => bot['full_name'] === 'Loom bot')?.['services']).toEqual(services);
    const text = '@**Loom bot** what *now*?';
    expect(JSON.parse(request?.text ?? '')).toMatchObject({
      data: text,
      bot_email: expect.stringContaining('loom-bot-bot@'),
      bot_full_name: 'Loom bot',
      token,
      trigger: 'mention',
      message: {
        id,
        content: text,
        rendered_content: expect.stringContaining('what <em>now</em>?'),
        display_recipient: 'looms',
        subject: 'asked',
        sender_id: adaId,
        type: 'stream',
      },
    });
  });

  it('is sent direct messages, and what it is answered goes to all of them', async () => {
    answer = JSON.stringify({ response_string: 'Yes.' });
    const botId = await createBot('Direct bot');
    await ada.must('post', 'messages', { type: 'direct', to: [botId], content: 'Well?' });
    const said = await eventually(
      () => messages(ada, [{ operator: 'dm', operand: [botId] }]),
      ({ length }) => length > 1,
    );
    expect(said.at(-1)).toMatchObject({ sender_id: botId, content: 'Yes.' });
    expect(JSON.parse(received[0]?.text ?? '')).toMatchObject({ trigger: 'direct_message' });
  });

  it('may answer with buttons, and fails with what are none', async () => {
    const choices = [{ short_name: 'A', long_name: 'Yes', reply: 'again' }];
    const widget = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Again?', choices } };
    answer = JSON.stringify({ content: 'Choose.', widget_content: widget });
    await createBot('Button bot');
    await ask('Button bot', 'buttons');
    const [message] = await replies('buttons');
    const [submessage] = message?.['submessages'] as Reply[];
    expect(JSON.parse(submessage?.['content'] as string)).toEqual(widget);
    answer = JSON.stringify({ content: 'Choose.', widget_content: { widget_type: 'game' } });
    await ask('Button bot', 'no buttons');
    expect(await replies('no buttons')).toMatchObject([{ content: expect.stringMatching(/^Failure!/) }]);
  });

  it('may be asked by a form, and answers with its text', async () => {
    answer = JSON.stringify({ text: 'Formally.' });
    const botId = await createBot('Form bot', { interface_type: 2 });
    await ask('Form bot', 'form');
    expect(await replies('form')).toMatchObject([{ content: 'Formally.' }]);
    expect(Object.fromEntries(new URLSearchParams(received[0]?.text))).toMatchObject({
      team_id: 'T1',
      channel_id: `C${channel}`,
      channel_name: 'looms',
      user_id: `U${adaId}`,
      user_name: 'Ada',
      text: '@**Form bot** what *now*?',
      trigger_word: 'mention',
      service_id: String(botId),
    });
    await ada.must('post', 'messages', { type: 'direct', to: [botId], content: 'Well?' });
    await eventually(
      () => messages(ada, [{ operator: 'dm', operand: [botId] }]),
      (said) => said.some((message) => (message['content'] as string).startsWith('Failure!')),
    );
    expect(received).toHaveLength(1);
  });

  it('says nothing where nothing is answered, and hears nothing of bots', async () => {
    const id = await createBot('Silent bot');
    const { client: other } = await server.createBot(ada, 'Talking bot');
    await other.must('post', 'messages', { type: 'direct', to: [id], content: 'Psst' });
    answer = JSON.stringify({ content: 'x', response_not_required: true });
    await ask('Silent bot', 'silence');
    answer = '';
    await eventually(
      () => owner.must('get', 'audit/log', { type: 'OutgoingWebhookAnswered' }),
      ({ events }) => JSON.stringify(events).includes(`"botId":${id}`),
    );
    expect(received).toHaveLength(1);
    expect(await messages(ada, inTopic('silence'))).toHaveLength(1);
  });

  it.each([
    ['Failing bot', 500, 'broken', 'status 500'],
    ['Leading bot', 302, '', 'status 302'],
    ['Rambling bot', 200, 'no JSON', 'the answer is none'],
    ['Wordy bot', 200, 'x'.repeat(budgets.outgoingWebhookAnswer.max + 1), 'the answer is too long'],
  ])('tells of a failure, and so is its owner: %s', async (...[name, failing, body, reason]) => {
    status = failing;
    answer = body;
    await createBot(name);
    await ask(name, name);
    const [failure] = await replies(name);
    expect((failure?.['content'] as string).toLowerCase()).toBe(`failure! ${reason}.`.toLowerCase());
    const [told] = await toldOf(name);
    expect(told?.['content']).toContain(reason);
    expect(received).toHaveLength(1);
  });

  it('is asked three times more where nobody answers, always by the same id', async () => {
    status = 0;
    await createBot('Absent bot');
    await ask('Absent bot', 'absent');
    const [failure] = await eventually(
      () => replies('absent'),
      ({ length }) => length > 0,
    );
    expect(failure?.['content']).toBe('Failure! Nobody answered.');
    expect(received).toHaveLength(4);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await toldOf('Absent bot');
  });

  it('is not asked again about a message that was moved to another channel, and says nothing there', async () => {
    const elsewhere = await ada.createChannel('cellar', { principals: [adaId], invite_only: true });
    status = 0;
    await createBot('Forgetful bot');
    const id = await ask('Forgetful bot', 'moved');
    await eventually(
      () => Promise.resolve(received.length),
      (count) => count > 0,
    );
    await ada.must('patch', `messages/${id}`, { stream_id: elsewhere, propagate_mode: 'change_one' });
    const attempts = received.length;
    status = 200;
    answer = JSON.stringify({ content: 'Here I am.' });
    // What is asked after it is answered, so nothing of it is left to be sent.
    const next = await ask('Forgetful bot', 'asked next');
    expect(await replies('asked next')).toMatchObject([{ content: 'Here I am.' }]);
    const asked = received.map(({ text }) => (JSON.parse(text) as { message: { id: number } }).message.id);
    expect(asked.slice(attempts)).toEqual([next]);
    const said = await messages(ada, [{ operator: 'channel', operand: elsewhere }]);
    expect(said.map(({ content }) => content)).not.toContain('Here I am.');
  });

  it('says what reaches everybody in the topic, and shows what it may see', async () => {
    answer = JSON.stringify({ content: '@**topic** read #**looms>whole topic**' });
    await createBot('Loud bot');
    const question = await ask('Loud bot', 'whole topic');
    const [reply] = await replies('whole topic');
    const id = reply?.['id'] as number;
    const { messages: read } = await ada.must('get', 'messages', {
      anchor: id,
      num_before: 0,
      num_after: 0,
      narrow: inTopic('whole topic'),
    });
    expect((read as Reply[])[0]?.['flags']).toContain('topic_wildcard_mentioned');
    expect(question).toBeLessThan(id);
  });

  it('does not hold up others by answering slowly', async () => {
    const slow = createServer(() => undefined);
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const slowUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
    await createBot('Slow bot', { payload_url: JSON.stringify(slowUrl) });
    await createBot('Quick bot');
    answer = JSON.stringify({ content: 'Here.' });
    await ask('Slow bot', 'slow');
    await ask('Quick bot', 'quick');
    expect(await replies('quick')).toMatchObject([{ content: 'Here.' }]);
    slow.closeAllConnections();
    await new Promise<void>((resolve) => slow.close(() => resolve()));
  });

  it.each(['http://127.0.0.2:1/', 'http://localhost.localdomain:1/', 'http://[::1]:1/', 'http://10.0.0.1/'])(
    'is not asked in a private network: %s',
    async (address) => {
      const name = `Hidden bot ${address.replaceAll(/\W+/g, ' ').trim()}`;
      await createBot(name, { payload_url: JSON.stringify(address) });
      await ask(name, address);
      const [failure] = await replies(address);
      expect(failure?.['content']).toMatch(
        /^Failure! (?:The address is in a private network|Nobody answered)\.$/,
      );
    },
  );
});

describe('where the requests of a bot go', () => {
  it('is changed by its owner, and told to clients', async () => {
    const botId = await createBot('Moving bot', { payload_url: undefined });
    await ask('Moving bot', 'before');
    const queue = await ClientQueue.register(bo, ['realm_bot']);
    const changed = await bo.must('patch', `bots/${botId}`, {
      service_payload_url: JSON.stringify(url),
      service_interface: 2,
    });
    expect(changed).toMatchObject({ service_payload_url: url, service_interface: 2 });
    const [event] = await queue.next();
    const services = [{ base_url: url, interface: 2, token: expect.any(String) }];
    expect(event).toMatchObject({ type: 'realm_bot', op: 'update', bot: { user_id: botId, services } });
    answer = JSON.stringify({ text: 'Now.' });
    await ask('Moving bot', 'after');
    expect(await replies('after')).toMatchObject([{ content: 'Now.' }]);
    expect(await messages(ada, inTopic('before'))).toHaveLength(1);
  });

  it.each([
    { payload_url: 'ftp://example.com/' },
    { payload_url: 'http://user:secret@example.com/' },
    { payload_url: `http://example.com/${'x'.repeat(budgets.serviceUrl.max)}` },
    { interface_type: 3 },
    { bot_type: 4 },
  ])('is refused as %p', async (parameters) => {
    const bot = {
      full_name: 'Refused bot',
      short_name: 'refused',
      bot_type: 3,
      payload_url: url,
      ...parameters,
    };
    expect((await bo.post('bots', bot)).status).toBe(400);
  });
});
