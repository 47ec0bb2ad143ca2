import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let ada: { readonly id: number; readonly client: ApiClient };
let bo: { readonly id: number; readonly client: ApiClient };
let engines: number;

beforeAll(async () => {
  // Files are looked for in the data directory.
  server = await TestServer.start({ stores: ServerStores.embedded() });
  tool = new CommandLine({ DATA_DIR: server.directory });
  owner = await server.owner();
  ada = await server.createUser(owner, 'Ada Quill');
  bo = await server.createUser(owner, 'Bo Nib');
  for (const client of [owner, ada.client, bo.client]) {
    const subscriptions = JSON.stringify([{ name: 'engines' }, { name: 'looms' }]);
    await client.must('post', 'users/me/subscriptions', { subscriptions });
  }
  engines = await owner.channelId('engines');
  await owner.must('patch', 'realm', { message_erasure_policy: 'erase' });
});

afterAll(() => server.stop());

async function send(client: ApiClient, content: string, to = 'engines'): Promise<number> {
  const message = { type: 'channel', to, topic: 'notes', content };
  return (await client.must('post', 'messages', message))['id'] as number;
}

async function hold(scope: object): Promise<number> {
  const { id } = await owner.must('post', 'audit/cases', { name: 'A case', ...scope });
  await owner.must('post', `audit/cases/${String(id)}/hold`);
  return id as number;
}

const lift = (caseId: number): Promise<unknown> => owner.must('delete', `audit/cases/${caseId}/hold`);
const history = (messageId: number): Promise<string> => tool.must('audit', 'history', String(messageId));
const isGone = async (client: ApiClient, id: number): Promise<boolean> =>
  (await client.get(`messages/${id}`)).status === 400;

async function files(): Promise<number> {
  const entries = await readdir(join(server.directory, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

describe('cases', () => {
  it('are for auditors', async () => {
    for (const refused of [
      await ada.client.get('audit/cases'),
      await ada.client.post('audit/cases', { name: 'Mine' }),
      await ada.client.post('audit/cases/1/hold', {}),
    ])
      expect(refused.body).toMatchObject({ msg: 'Insufficient permission' });
  });

  it('are created, changed, listed and closed, each act with who did it', async () => {
    const { id } = await owner.must('post', 'audit/cases', {
      name: 'Engine dispute',
      user_ids: [ada.id],
      channel_ids: [engines],
      from: '2026-01-01',
      words: 'boiler',
    });
    const changed = await owner.must('patch', `audit/cases/${String(id)}`, { to: '2030-01-01', words: '' });
    expect(changed['case']).toMatchObject({
      name: 'Engine dispute',
      user_ids: [ada.id],
      channel_ids: [engines],
      from: 1_767_225_600,
      to: 1_893_456_000,
      words: null,
      state: 'open',
      hold: null,
    });
    const revision = changed['case'].revision as number;
    const both = await Promise.all([
      owner.patch(`audit/cases/${String(id)}`, { name: 'One', revision }),
      owner.patch(`audit/cases/${String(id)}`, { name: 'Other', revision }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await owner.post('audit/cases', { name: 'x', user_ids: [999] })).body).toMatchObject({
      msg: 'No such user',
    });
    expect((await owner.post('audit/cases', { name: 'x', from: 'soon' })).status).toBe(400);
    expect((await owner.get('audit/cases/999')).status).toBe(404);
    await owner.must('post', `audit/cases/${String(id)}/close`);
    const refused = await owner.patch(`audit/cases/${String(id)}`, { name: 'Other' });
    expect(refused.body).toMatchObject({ msg: expect.stringContaining('closed') });
    const { cases } = await owner.must('get', 'audit/cases');
    expect(cases).toHaveLength(1);
    const log = await tool.json('audit', 'log', '--stream', 'case-*');
    expect(log.map(({ type }) => type)).toEqual(['CaseCreated', 'CaseChanged', 'CaseChanged', 'CaseClosed']);
    expect(log.every(({ metadata }) => metadata.actorId === cases[0].created.user_id)).toBe(true);
  });

  it('are held once if the request is repeated with the same revision', async () => {
    const { id } = await owner.must('post', 'audit/cases', { name: 'Lost reply', user_ids: [bo.id] });
    const path = `audit/cases/${String(id)}`;
    const read = await owner.must('get', path);
    const { revision } = read['case'] as { readonly revision: number };
    for (const again of [1, 2]) {
      const { status } = await owner.post(`${path}/hold`, { revision });
      expect([again, status]).toEqual([again, 200]);
    }
    const log = await tool.json('audit', 'log', '--stream', `case-${String(id)}`);
    expect(log.map(({ type }) => type)).toEqual(['CaseCreated', 'CaseHoldPlaced']);
    await lift(id as number);
    await owner.must('post', `${path}/close`);
  });
});

describe('deleting a message under a legal hold', () => {
  it('takes it from clients and leaves it to auditors, until the hold is lifted', async () => {
    const before = await send(ada.client, 'Before the hold: Xanthippe.');
    const elsewhere = await send(ada.client, 'In another channel: Quetzal.', 'looms');
    const caseId = await hold({ channel_ids: [engines] });
    const later = await send(bo.client, 'After the hold: Zeppelin.');
    await bo.client.must('patch', `messages/${later}`, { content: 'Edited since: Zeppelin.' });
    for (const id of [before, later, elsewhere]) {
      await owner.must('delete', `messages/${id}`);
      expect(await isGone(owner, id)).toBe(true);
    }
    expect(await history(before)).toContain('Xanthippe');
    expect(await history(later)).toContain('Zeppelin');
    expect(await history(elsewhere)).not.toContain('Quetzal');
    const deferred = await tool.json('audit', 'log', '--type', 'MessageErasureDeferred');
    expect(deferred.map(({ data }) => data)).toEqual([
      { messageId: before, caseIds: [caseId] },
      { messageId: later, caseIds: [caseId] },
    ]);
    expect(await tool.must('audit', 'verify')).toContain('Nothing is amiss.');
    await lift(caseId);
    await eventually(
      () => history(later),
      (told) => !told.includes('Zeppelin'),
    );
    expect(await history(before)).not.toContain('Xanthippe');
    expect(await tool.must('audit', 'verify')).toContain('Nothing is amiss.');
    expect(await tool.run('projections', 'verify', 'messages')).toMatchObject({ code: 0 });
  });

  it('keeps what any of several holds covers, by words, people and wherever it has lain', async () => {
    const both = await send(ada.client, 'A warning: Ytterbium.', 'looms');
    const moved = await send(bo.client, 'Moved: Osmium.');
    const byWords = await hold({ words: 'warning' });
    const byPerson = await hold({ user_ids: [ada.id] });
    const byChannel = await hold({ channel_ids: [engines] });
    await owner.must('patch', `messages/${moved}`, {
      stream_id: await owner.channelId('looms'),
      topic: 'elsewhere',
      propagate_mode: 'change_one',
    });
    for (const id of [both, moved]) await owner.must('delete', `messages/${id}`);
    await lift(byWords);
    expect(await history(both)).toContain('Ytterbium');
    await lift(byPerson);
    await eventually(
      () => history(both),
      (told) => !told.includes('Ytterbium'),
    );
    expect(await history(moved)).toContain('Osmium');
    await lift(byChannel);
    await eventually(
      () => history(moved),
      (told) => !told.includes('Osmium'),
    );
  });

  it('keeps the files of the message, also if their owner deletes them', async () => {
    const { body } = await ada.client.upload('user_uploads', new File(['Bytes.'], 'ledger.txt'));
    const url = body['url'] as string;
    await send(ada.client, `[ledger](${url})`);
    const caseId = await hold({ user_ids: [ada.id] });
    const before = await files();
    const { attachments } = await ada.client.must('get', 'attachments');
    await ada.client.must('delete', `attachments/${String(attachments[0].id)}`);
    expect((await ada.client.fetch(url)).status).toBe(404);
    expect(await files()).toBe(before);
    await lift(caseId);
    await eventually(files, (left) => left === before - 1);
  });

  it('keeps the scope of a held case as it is, and the case open', async () => {
    const caseId = await hold({ user_ids: [bo.id] });
    const refusals = [
      await owner.patch(`audit/cases/${caseId}`, { words: 'boiler' }),
      await owner.post(`audit/cases/${caseId}/close`, {}),
    ];
    for (const { body } of refusals)
      expect(body).toMatchObject({ msg: expect.stringContaining('lift it first') });
    await owner.must('patch', `audit/cases/${caseId}`, { name: 'Renamed' });
    await lift(caseId);
  });
});

describe('erasing a person under a legal hold', () => {
  it('is refused with the cases that keep what they wrote, until those are lifted', async () => {
    const cy = await server.createUser(owner, 'Cy Folio');
    const subscriptions = JSON.stringify([{ name: 'engines' }]);
    await cy.client.must('post', 'users/me/subscriptions', { subscriptions });
    const id = await send(cy.client, 'Signed: Cadmium.');
    const unrelated = await hold({ user_ids: [bo.id] });
    const caseId = await hold({ channel_ids: [engines], words: 'signed' });
    await owner.must('delete', `users/${cy.id}`);
    const refused = await tool.run('owner', 'erase-person', String(cy.id), '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`case ${caseId}`);
    expect(refused.stderr).not.toContain(`${unrelated},`);
    expect(await history(id)).toContain('Cadmium');
    await lift(caseId);
    expect(await tool.must('owner', 'erase-person', String(cy.id), '--yes')).toContain('is erased');
    expect(await history(id)).not.toContain('Cadmium');
    await lift(unrelated);
    expect(await tool.must('audit', 'verify')).toContain('Nothing is amiss.');
  });
});

describe('a server that ends while it erases what a hold had kept', () => {
  it('goes on where it was', async () => {
    const caseId = await hold({ channel_ids: [engines] });
    const ids: number[] = [];
    for (let number = 0; number < 30; number += 1)
      ids.push(await send(ada.client, `Kept: Molybdenum ${number}.`));
    for (const id of ids) await owner.must('delete', `messages/${id}`);
    const lifted = owner.delete(`audit/cases/${caseId}/hold`).catch(() => null);
    await eventually(
      () => tool.must('audit', 'log', '--type', 'CaseHoldLifted', '--json'),
      (log) => log.includes(`"caseId":${caseId},`),
    );
    await server.kill();
    await lifted;
    server = await TestServer.start({ stores: ServerStores.embedded(), directory: server.directory });
    const erased = async (): Promise<readonly number[]> =>
      (await tool.json('audit', 'log', '--type', 'MessageErased')).map(
        ({ data }) => data.messageId as number,
      );
    await eventually(erased, (found) => ids.every((id) => found.includes(id)));
    expect(await tool.must('audit', 'log')).not.toContain('Molybdenum');
    expect(new Set(await erased()).size).toBe((await erased()).length);
    expect(await tool.must('audit', 'verify')).toContain('Nothing is amiss.');
  });
});
