import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-cases-'));
  server = await TestServer.start({ directory: folder, stores: ServerStores.embedded() });
  tool = new CommandLine({ DATA_DIR: folder });
  owner = await server.owner();
  await owner.must('post', 'users/me/subscriptions', { subscriptions: '[{"name":"engines"}]' });
  const message = { type: 'channel', to: 'engines', topic: 'notes', content: 'The boiler is late.' };
  const { id } = await owner.must('post', 'messages', message);
  await owner.must('patch', `messages/${String(id)}`, { content: 'Nothing to see.' });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const fileNamed = (name: string): string => join(folder, name);

describe('palimpsest audit case', () => {
  it('works on cases through the running server, in the name of the operator', async () => {
    const [created] = await tool.json(
      'audit',
      'case',
      'create',
      'Engine dispute',
      '--channel',
      'engines',
      '--person',
      String(owner.credentials?.email),
      '--from',
      '2020-01-01',
    );
    expect(created).toMatchObject({
      id: 1,
      channel_ids: [await owner.channelId('engines')],
      from: 1_577_836_800,
      created: { user_id: null, operator: expect.any(String) },
    });
    const change = ['--name', 'The engine dispute', '--words', 'boiler'];
    expect(await tool.json('audit', 'case', 'change', '1', ...change)).toMatchObject([
      { name: 'The engine dispute', words: 'boiler', from: 1_577_836_800 },
    ]);
    expect(await tool.json('audit', 'case', 'change', '1', '--words', '')).toMatchObject([{ words: null }]);
    expect(await tool.must('audit', 'case', 'hold', '1')).toContain('a legal hold since');
    expect(await tool.must('audit', 'case', 'list')).toMatch(/1 +The engine dispute +open +\d{4}/);
    const [, size] = await tool.json('audit', 'case', 'show', '1', '--size');
    expect(size).toMatchObject({ messages: 1, versions: 2, erased_versions: 0 });
    const found = await tool.must('audit', 'case', 'search', '1', 'boiler');
    expect(found).toContain('version 1, changed since: The boiler is late.');
    expect(await tool.run('audit', 'case', 'release', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect(await tool.run('audit', 'case', 'close', '1', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('legal hold'),
    });
    expect(await tool.run('audit', 'case', 'show', '9')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no such case'),
    });
    const looks = await tool.json('audit', 'log', '--type', 'LogAudited');
    // To look for them is a look as well.
    const ofCases = looks.filter(({ data }) => String(data.view).startsWith('case-'));
    expect(ofCases.map(({ data }) => [data.view, data.userId, data.asked, data.text])).toEqual([
      ['case-size', null, { caseId: 1 }, undefined],
      ['case-search', null, { caseId: 1 }, 'boiler'],
    ]);
    expect(await tool.must('audit', 'log', '--type', 'LogAudited')).toContain('The operator');
  });

  it('exports a bundle that can be checked, and leaves none with the server', async () => {
    const file = fileNamed('case-1.zip');
    const [bundle] = await tool.json('audit', 'case', 'export', '1', file);
    expect(bundle).toMatchObject({ messages: 1, versions: 2 });
    expect(await tool.run('audit', 'check', file, '--signer', String(bundle!['signer']))).toMatchObject({
      code: 0,
    });
    expect(await readdir(fileNamed('bundles'))).toEqual([]);
    expect(await tool.run('audit', 'case', 'export', '1', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there already'),
    });
    expect(await tool.run('audit', 'case', 'export', '1', join('nowhere', 'any.zip'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written'),
    });
    // Neither was made in vain: the log records the first one alone.
    expect((await tool.must('audit', 'log')).match(/to export it on the command line/g)).toHaveLength(1);
  });

  it('does the same by itself when no server runs', async () => {
    await server.stop();
    const other = fileNamed('here.zip');
    expect(await tool.must('audit', 'case', 'list')).toContain('The engine dispute');
    expect(await tool.must('audit', 'case', 'release', '1', '--yes')).toContain('no legal hold');
    expect(await tool.json('audit', 'case', 'export', '1', other)).toMatchObject([{ messages: 1 }]);
    expect(await tool.run('audit', 'check', other)).toMatchObject({ code: 4 });
  });
});
