import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PastAnswer, PastQuery } from '../../src/audit/past/past-api.js';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine, type JsonLine } from '../support/command-line.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

// Every question builds read models in a process of its own.
let stores: ServerStores;
let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let ada: { readonly id: number; readonly client: ApiClient };
let botId: number;
let messageId: number;

beforeAll(async () => {
  stores = await ServerStores.open();
  // No seals, and no e-mails after two minutes: what a test appends last is the end of the log.
  server = await TestServer.start({ stores, environment: { SEAL_EVERY_SECONDS: '86400' } });
  tool = new CommandLine({ DATA_DIR: server.directory, ...stores.environment });
  owner = await server.owner();
  const withoutMail = { enable_offline_email_notifications: false };
  await owner.must('patch', 'settings', withoutMail);
  await owner.must('patch', 'realm/user_settings_defaults', withoutMail);
  ada = await server.createUser(owner, 'Ada Quill');
  botId = (await server.createBot(ada.client, 'Loom Bot')).id;
  await owner.must('patch', 'realm', { enable_read_receipts: true });
  for (const client of [owner, ada.client]) {
    await client.must('post', 'users/me/subscriptions', { subscriptions: '[{"name":"engines"}]' });
  }
  messageId = await send('Note **G** is ready.');
});

afterAll(async () => {
  await server.stop();
  await stores.close();
});

async function send(content: string): Promise<number> {
  const message = { type: 'channel', to: 'engines', topic: 'notes', content };
  return (await ada.client.must('post', 'messages', message))['id'] as number;
}

const ownId = async (): Promise<number> => (await owner.must('get', 'users/me'))['user_id'] as number;

/** Position of the last event that passes some filters. */
async function lastOf(...filters: readonly string[]): Promise<number> {
  return (await tool.json('audit', 'log', ...filters)).at(-1)!['position'] as number;
}

/** The answers at the end of the log, by one program. */
async function askAll(queries: readonly PastQuery[]): Promise<readonly PastAnswer[]> {
  const program = spawn(process.execPath, [resolve('dist/test/support/past-answers.js')], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: server.directory, ...stores.environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.end(JSON.stringify(queries));
  return JSON.parse(await text(program.stdout)) as readonly PastAnswer[];
}

describe('audit who-could-see, audit readers', () => {
  const names = (lines: readonly JsonLine[]): readonly unknown[] =>
    lines.map((line) => [line['full_name'], line['access'], line['has_read']]);

  it('list who could see a message and had read it, at a moment and at the end', async () => {
    await owner.must('patch', 'realm', { enable_read_receipts: true });
    const { client: cy, id: cyId } = await server.createUser(owner, 'Cy Late');
    const { user_id: ownerId, full_name: ownerName } = await owner.must('get', 'users/me');
    const private_ = { subscriptions: '[{"name":"vault"}]', invite_only: true };
    await ada.client.must('post', 'users/me/subscriptions', {
      ...private_,
      history_public_to_subscribers: true,
      principals: [ada.id, ownerId],
    });
    const said = { type: 'channel', to: 'vault', topic: 'keys', content: 'Under the mat.' };
    const id = String((await ada.client.must('post', 'messages', said))['id']);
    const sent = await lastOf('--message', id);
    await owner.must('post', 'messages/flags', { messages: `[${id}]`, op: 'add', flag: 'read' });
    await cy.must('patch', 'settings', { send_read_receipts: false });
    await ada.client.must('post', 'users/me/subscriptions', { ...private_, principals: [cyId] });
    await cy.must('post', 'messages/flags', { messages: `[${id}]`, op: 'add', flag: 'starred' });

    const atSending = await tool.json('audit', 'who-could-see', id, '--at', String(sent));
    expect(names(atSending)).toEqual([
      [ownerName, 'received', false],
      ['Ada Quill', 'received', false],
    ]);
    const atTheEnd = await tool.json('audit', 'who-could-see', id);
    expect(names(atTheEnd)).toEqual([
      [ownerName, 'received', true],
      ['Ada Quill', 'received', expect.any(Boolean)],
      ['Cy Late', 'historical', expect.any(Boolean)],
    ]);
    expect(await tool.json('audit', 'readers', id, '--at', String(sent))).toEqual([]);
    const readers = await tool.must('audit', 'readers', id);
    expect(readers).toMatch(/^ID +NAME +HOW +READ +WHEN\n/);
    expect(readers).toContain(String(ownerName));
    expect(readers).toContain('Cy Late');

    const early = await tool.run('audit', 'readers', id, '--at', String(sent - 1));
    expect(early).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There was no message ${id} then.`),
    });
  });
});

describe('audit at', () => {
  const at = async (moment: string | number, ...words: string[]): Promise<JsonLine> =>
    JSON.parse(await tool.must('audit', 'at', String(moment), ...words)) as JsonLine;

  it('answers every GET of the API, or says what the log does not keep', async () => {
    const document = (await (await fetch(`${server.site}/api/docs-json`)).json()) as {
      readonly paths: Readonly<Record<string, { readonly get?: object }>>;
    };
    const userId = await ownId();
    const filled: Readonly<Record<string, string | number>> = {
      message_id: messageId,
      user_id: userId,
      user_id_or_email: userId,
      bot_id: botId,
      stream_id: await owner.channelId('engines'),
      channel_id: await owner.channelId('engines'),
      position: await lastOf('--message', String(messageId), '--type', 'MessageSent'),
      case_id: 1,
      export_id: 1,
      group_id: 1,
    };
    const conversation = ['channel_id', String(await owner.channelId('engines'))] as const;
    const required: Readonly<Record<string, PastQuery['parameters']>> = {
      messages: [
        ['anchor', 'newest'],
        ['num_before', '5'],
        ['num_after', '0'],
      ],
      'messages/matches_narrow': [
        ['msg_ids', `[${messageId}]`],
        ['narrow', '[]'],
      ],
      get_stream_id: [['stream', 'engines']],
      'audit/conversation': [conversation],
      'audit/conversation/changes': [conversation],
      'audit/conversation/comparison': [conversation, ['from', '1'], ['to', '2']],
    };
    const paths = Object.entries(document.paths).flatMap(([path, { get }]) =>
      get !== undefined && path.startsWith('/api/v1/') ? [path.slice('/api/v1/'.length)] : [],
    );
    const queries = paths.map((path) => ({
      userId,
      path: path.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) => String(filled[name] ?? 'x')),
      parameters: required[path] ?? [],
    }));
    const answers = await askAll(queries);
    const refused = answers.flatMap(({ status, body }, index) =>
      status === 200
        ? []
        : [`${queries[index]!.path}: ${(JSON.parse(body) as { readonly msg: string }).msg}`],
    );
    expect(paths.length).toBeGreaterThan(40);
    expect(refused.sort()).toEqual([
      'audit/case-tasks/x/bundle: There is no such task, or it is not remembered any more',
      'audit/case-tasks/x: There is no such task, or it is not remembered any more',
      'audit/cases/1/tasks: There is no such case',
      'audit/cases/1: There is no such case',
      'audit/operations: The log does not keep how the server was doing.',
      'audit/overview: The log does not keep how the server was doing.',
      'audit/projections: The log does not keep how read models were doing.',
      'audit/proofs/bundle: There is no proof to download: it has yet to be made',
      'bot_storage: This endpoint is for bots only.',
      `bots/${botId}/api_key: The log does not keep API keys.`,
      'events: The log does not keep event queues.',
      'export/realm/1/file: Invalid data export ID',
      'realm/icon: The log does not keep pictures of the organization.',
      'realm/logo: The log does not keep pictures of the organization.',
      'realm/presence: The log does not keep who was here.',
      'thumbnail/status/x/x/x/x: The log does not keep links to files.',
      'user_uploads/x/x/x/x: The log does not keep links to files.',
      `users/${userId}/presence: The log does not keep who was here.`,
      'users/me/api_keys: The log does not keep API keys.',
      'users/me/data_export/file: The log does not keep copies of what is stored about people.',
      'users/me/data_export: The log does not keep copies of what is stored about people.',
      'users/me/second_factor: The log does not keep second factors.',
    ]);
  });

  it('lists bots without their keys', async () => {
    const { bots } = await at(await lastOf(), 'bots', '--as', String(ada.id));
    expect(bots).toMatchObject([{ full_name: 'Loom Bot', api_key: '' }]);
  });

  it('shows the log as it was, and records nothing', async () => {
    const end = await lastOf('--message', String(messageId), '--type', 'MessageSent');
    const { events } = await at(end, 'audit/log', 'limit=1000');
    expect(events.at(-1)).toMatchObject({ type: 'MessageSent', position: end });
    // Whoever looked on the command line did; nobody did over HTTP.
    const looks = await tool.json('audit', 'log', '--type', 'LogAudited');
    expect(looks.filter(({ data }) => (data as JsonLine)['userId'] !== null)).toEqual([]);
  });

  it('tells who had read a message by then', async () => {
    const unread = await lastOf();
    await owner.must('post', 'messages/flags', { messages: `[${messageId}]`, op: 'add', flag: 'read' });
    const query = [`messages/${messageId}/read_receipts`, '--as', String(ada.id)];
    expect(await at(unread, ...query)).toMatchObject({ user_ids: [] });
    expect(await at(await lastOf(), ...query)).toMatchObject({ user_ids: [await ownId()] });
  });

  it('takes an address as it was pasted', async () => {
    const pasted = `/api/v1/messages/${messageId}?apply_markdown=false`;
    const paths = [pasted, `${server.site}${pasted}`, `messages/${messageId}?apply_markdown=false`];
    for (const { body } of await askAll(paths.map((path) => ({ userId: ada.id, path, parameters: [] })))) {
      expect(JSON.parse(body)).toMatchObject({ message: { content: 'Note **G** is ready.' } });
    }
    expect(await at(await lastOf(), pasted)).toMatchObject({ message: { id: messageId } });
  });

  it('names its moment, and shows the end of the log for a later time', async () => {
    const before = (await tool.json('audit', 'log')).at(-1)!;
    const sent = { position: before['position'], time: new Date(before['metadata'].at).toISOString() };
    expect(await at(before['position'], 'users/me')).toMatchObject({ as_of: sent });
    const later = await tool.run('audit', 'at', '2999-01-01', 'users/me', '--json');
    const { as_of: end } = JSON.parse(later.stdout) as { readonly as_of: typeof sent };
    // What was looked at before is recorded there.
    expect(end.position).toBeGreaterThan(sent.position);
    expect(later.stderr).toContain(`The log ends at position ${end.position}`);
  });

  it('refuses a position behind the end of the log', async () => {
    const end = await lastOf();
    const outcome = await tool.run('audit', 'at', String(end + 1_000_000_000), 'users/me');
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toContain(`The log ends at position ${end}`);
  });
});

describe('audit log --message', () => {
  it('shows who marked ranges of messages that cover it, and who starred it', async () => {
    const covered = await send('Read with its neighbours.');
    await owner.must('post', 'mark_all_as_read');
    await owner.must('post', 'messages/flags', { messages: `[${covered}]`, op: 'add', flag: 'starred' });
    const later = await send('Later.');
    const typesOf = async (id: number): Promise<string[]> =>
      (await tool.json('audit', 'log', '--message', String(id))).map(({ type }) => type as string);
    expect(await typesOf(covered)).toEqual(['MessageSent', 'MessagesMarkedRead', 'MessagesStarred']);
    expect(await typesOf(later)).toEqual(['MessageSent']);
  });
});

describe('what events record for auditors', () => {
  it('a deletion names the sender and the place of the message, also if somebody else deletes it', async () => {
    const deleted = await send('Soon gone.');
    await owner.must('patch', `messages/${deleted}`, { topic: 'cards' });
    await owner.must('delete', `messages/${deleted}`);
    const inTopic = await send('Gone with its topic.');
    const channelId = await owner.channelId('engines');
    await owner.must('post', `streams/${channelId}/delete_topic`, { topic_name: 'notes' });
    const recorded = await tool.json('audit', 'log', '--type', 'MessageDeleted');
    const place = (topic: string): object => ({ type: 'channel', channelId, topic });
    expect(recorded.find(({ data }) => data.messageId === deleted)).toMatchObject({
      data: { senderId: ada.id, recipient: place('cards') },
    });
    expect(recorded.find(({ data }) => data.messageId === inTopic)).toMatchObject({
      data: { senderId: ada.id, recipient: place('notes') },
    });
  });

  it('a change of role names the previous role', async () => {
    await owner.must('patch', `users/${ada.id}`, { role: 200 });
    const [change] = await tool.json('audit', 'log', '--type', 'UserRoleChanged');
    expect(change!['data']).toEqual({ userId: ada.id, role: 200, previousRole: 400 });
  });
});
