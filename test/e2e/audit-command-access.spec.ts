import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine, type JsonLine } from '../support/command-line.js';
import { TestServer } from '../support/server.js';
import { ServerStores } from '../support/server-stores.js';

let directory: string;
let stores: ServerStores;
let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let adaId: number;
let channelId: number;
let messageId: number;
const operator = userInfo().username;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-access-'));
  stores = await ServerStores.open();
  server = await TestServer.start({ directory, stores });
  tool = new CommandLine({ DATA_DIR: directory, ...stores.environment });
  owner = await server.owner();
  const ada = await server.createUser(owner, 'Ada Quill');
  adaId = ada.id;
  channelId = await ada.client.createChannel('engines');
  await owner.must('patch', `users/${adaId}`, { role: 300 });
  await owner.must('patch', `streams/${channelId}`, { description: 'Of brass.' });
  const message = { type: 'channel', to: 'engines', topic: 'notes', content: 'Ready.' };
  messageId = (await ada.client.must('post', 'messages', message))['id'] as number;
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true });
});

const typesOf = (events: readonly JsonLine[]): readonly string[] => events.map(({ type }) => type as string);

/** What was recorded of access on the command line, without that of reading this. */
async function records(): Promise<readonly JsonLine[]> {
  const events = await tool.json('audit', 'log', '--type', 'LogAudited');
  return events
    .map(({ data }) => data as JsonLine)
    .filter(({ operator }) => operator !== null)
    .slice(0, -1);
}

describe('the command line', () => {
  it('prints the timelines of people and channels as the queries of the API answer them', async () => {
    for (const [command, named, path] of [
      ['person', 'ada.quill@example.com', `audit/people/${adaId}`],
      ['channel', 'engines', `audit/channels/${channelId}`],
    ] as const) {
      const printed = await tool.json('audit', command, named);
      const { events } = await owner.must('get', path, { after: 0, limit: 1000 });
      expect(printed).toEqual(events);
      expect(typesOf(printed)).toContain(command === 'person' ? 'UserRoleChanged' : 'ChannelCreated');
      expect(typesOf(printed)).not.toContain('MessageSent');
      const csv = await tool.must('audit', command, named, '--csv', '--limit', '1');
      expect(csv.trim().split('\n')).toHaveLength(2);
    }
    expect((await tool.run('audit', 'person', 'nobody@example.com')).code).toBe(2);
    expect((await tool.run('audit', 'channel', 'engines', '--csv', '--json')).code).toBe(2);
  });

  it('records each access with the account of the operator, beside a server', async () => {
    const before = (await records()).length;
    const commands = [
      ['log', '--about', 'ada.quill@example.com', '--role', 'moderator', '--limit', '3'],
      ['history', String(messageId)],
      ['who-could-see', String(messageId), '--at', '2999-01-01'],
      ['readers', String(messageId)],
      ['at', '2999-01-01', 'users/me'],
      ['person', String(adaId)],
      ['channel', 'engines'],
      ['export', join(directory, 'log.ndjson'), '--keys'],
      ['seal', '--prove', String(messageId)],
      ['seal'],
    ];
    for (const words of commands) await tool.must('audit', ...words);
    // The reading that counted them is the first.
    const added = (await records()).slice(before + 1);
    expect(added).toMatchObject([
      { view: 'log', asked: { aboutId: adaId, role: 'moderator', limit: 3 } },
      { view: 'history', selection: { messageId } },
      { view: 'audience', selection: { messageId, to: { time: Date.parse('2999-01-01') } } },
      { view: 'readers', selection: { messageId, to: null } },
      { view: 'past', text: 'users/me' },
      { view: 'person', asked: { userId: adaId } },
      { view: 'channel', asked: { channelId } },
      { view: 'log-export', asked: { keys: 'included', files: 'included' } },
      { view: 'proof-bundle', selection: { messageId } },
      { view: 'tree-head' },
    ]);
    for (const record of added) expect(record).toMatchObject({ operator, userId: null });
    const printed = await tool.must('audit', 'log', '--type', 'LogAudited');
    expect(printed).toContain(`The operator ${operator} read the history of a message on the command line`);
  });

  it('records an access without a server', async () => {
    await server.stop();
    const { stderr } = await tool.run('audit', 'history', String(messageId));
    expect(stderr).not.toContain('could not be recorded');
    expect((await records()).at(-1)).toMatchObject({ view: 'history', operator });
    server = await TestServer.start({ directory, stores });
    expect((await tool.run('audit', 'verify')).code).toBe(0);
  });
});
