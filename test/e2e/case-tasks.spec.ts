import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';

/** A reply, whatever is in it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into replies of every shape
type Task = Readonly<Record<string, any>>;

let server: TestServer;
let owner: ApiClient;
let ada: { readonly id: number; readonly client: ApiClient };
let engines: number;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  ada = await server.createUser(owner, 'Ada Quill');
  for (const client of [owner, ada.client])
    await client.must('post', 'users/me/subscriptions', { subscriptions: '[{"name":"engines"}]' });
  engines = await owner.channelId('engines');
  await owner.must('patch', 'realm', { message_erasure_policy: 'erase' });
});

afterAll(() => server.stop());

async function send(content: string): Promise<number> {
  const message = { type: 'channel', to: 'engines', topic: 'notes', content };
  return (await ada.client.must('post', 'messages', message))['id'] as number;
}

async function begin(caseId: number, parameters: Readonly<Record<string, unknown>>): Promise<Task> {
  const { task } = await owner.must('post', `audit/cases/${caseId}/tasks`, parameters);
  const ended = await eventually(
    () => owner.must('get', `audit/case-tasks/${String(task.id)}`),
    (reply) => reply['task'].state !== 'running',
  );
  return ended['task'] as Task;
}

async function newCase(scope: object): Promise<number> {
  return (await owner.must('post', 'audit/cases', { name: 'A case', ...scope }))['id'] as number;
}

describe('looking through a case', () => {
  it('counts what it covers, and finds earlier versions and deleted texts whose keys still exist', async () => {
    const upload = await ada.client.upload('user_uploads', new File(['Bytes.'], 'ledger.txt'));
    const edited = await send(
      `Delivered on Monday, says Xanthippe. [ledger](${upload.body['url'] as string})`,
    );
    await ada.client.must('patch', `messages/${edited}`, { content: 'Delivered on Tuesday.' });
    const erased = await send('Gone before the hold: Xanthippe.');
    await owner.must('delete', `messages/${erased}`);
    const caseId = await newCase({ channel_ids: [engines], user_ids: [ada.id] });
    await owner.must('post', `audit/cases/${caseId}/hold`);
    const deleted = await send('Deleted under the hold: Xanthippe.');
    await owner.must('delete', `messages/${deleted}`);

    const { id: _id, began: _began, ended: _ended, ...size } = await begin(caseId, { kind: 'size' });
    expect(size).toEqual({
      case_id: caseId,
      kind: 'size',
      state: 'done',
      progress: 1,
      error: null,
      expires: null,
      result: {
        messages: 3,
        deleted_messages: 2,
        versions: 4,
        erased_versions: 1,
        people: 2,
        events: 6,
        unreadable_events: 0,
        text_bytes: expect.any(Number),
        files: 1,
        file_bytes: 6,
      },
    });
    const { result } = await begin(caseId, { kind: 'search', words: 'xanthippe' });
    expect(result).toMatchObject({ beyond: null, looked: 3, unreadable_events: 0 });
    expect(result.hits).toMatchObject([
      {
        message_id: edited,
        sender_id: ada.id,
        sender_name: 'Ada Quill',
        place: { type: 'channel', channel_id: engines, channel_name: 'engines', topic: 'notes' },
        deleted: null,
        versions: [{ number: 1, is_latest: false, excerpt: expect.stringContaining('Xanthippe') }],
      },
      { message_id: deleted, deleted: expect.any(Number), versions: [{ number: 1, is_latest: true }] },
    ]);
  });

  it('is for the auditor who began it, and each look is recorded before it begins', async () => {
    const caseId = await newCase({ words: 'boiler' });
    const task = await begin(caseId, { kind: 'search', words: 'late delivery', after: 2 });
    const path = `audit/cases/${caseId}/tasks`;
    expect((await owner.must('get', path))['tasks']).toEqual([task]);
    for (const refused of [
      await ada.client.get(path),
      await ada.client.post(path, { kind: 'size' }),
      await ada.client.get(`audit/case-tasks/${String(task['id'])}`),
      await ada.client.delete(`audit/case-tasks/${String(task['id'])}`),
    ])
      expect(refused.body).toMatchObject({ msg: 'Insufficient permission' });
    const { user_id: ownerId } = await owner.must('get', 'users/me');
    const { events } = await owner.must('get', 'audit/log', {
      type: 'LogAudited',
      newest_first: true,
      limit: 2,
    });
    const record = (events as Task[]).find(({ data }) => data.view === 'case-search')!;
    expect(record['data']).toMatchObject({
      userId: ownerId,
      view: 'case-search',
      asked: { caseId, after: 2 },
      text: 'late delivery',
    });
    await owner.must('delete', `audit/case-tasks/${String(task['id'])}`);
    expect((await owner.get(`audit/case-tasks/${String(task['id'])}`)).status).toBe(404);
  });

  it('refuses what makes no sense', async () => {
    const caseId = await newCase({});
    const path = `audit/cases/${caseId}/tasks`;
    expect((await owner.post('audit/cases/999/tasks', { kind: 'size' })).status).toBe(404);
    expect((await owner.post(path, { kind: 'search' })).body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
    });
    expect((await owner.post(path, { kind: 'search', words: 'the of' })).status).toBe(400);
    expect((await owner.post(path, { kind: 'colour' })).status).toBe(400);
  });

  it('finds as much as one reply holds, and says where it goes on', async () => {
    const word = 'Zeppelin';
    const many = await send(`${word} 0`);
    for (let edit = 1; edit <= budgets.caseHitVersions.max; edit += 1)
      await ada.client.must('patch', `messages/${many}`, { content: `${word} ${edit}` });
    let last = many;
    for (let count = 0; count < budgets.caseHits.max; count += 1)
      last = await send(`${word} again, ${count}`);
    const caseId = await newCase({ user_ids: [ada.id] });
    const { result } = await begin(caseId, { kind: 'search', words: word });
    expect(result.hits).toHaveLength(budgets.caseHits.max);
    expect(result.hits[0].versions).toHaveLength(budgets.caseHitVersions.max);
    expect(result.hits[0].versions.at(-1)).toMatchObject({ number: budgets.caseHitVersions.max + 1 });
    expect(result.beyond).toBe(result.hits.at(-1).message_id);
    const rest = await begin(caseId, { kind: 'search', words: word, after: result.beyond });
    expect(rest['result']).toMatchObject({ beyond: null, hits: [{ message_id: last }] });
  });
});
