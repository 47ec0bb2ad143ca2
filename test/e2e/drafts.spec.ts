import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, bo, boId, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient, Reply } from '../support/api-client.js';

let channelId: number;

beforeAll(async () => {
  channelId = await ada.createChannel('drafts');
});

const thought = { type: '', to: [], topic: '', content: 'half a thought', timestamp: 2000 };

async function draftsOf(client: ApiClient): Promise<Reply> {
  const { result: _result, msg: _msg, ...kept } = await client.must('get', 'drafts');
  return kept as Reply;
}

describe('drafts', () => {
  it('are kept for their writer alone, oldest first, under the older names of their types', async () => {
    const { client } = await server.createUser(owner, 'Cas');
    const drafts = [
      { type: 'channel', to: [channelId], topic: 'greetings', content: 'unfinished', timestamp: 2001 },
      { type: 'direct', to: [boId], topic: '', content: 'later, Bo', timestamp: 2002 },
      thought,
    ];
    const { ids } = (await client.must('post', 'drafts', { drafts })) as Reply & { ids: number[] };
    expect(await draftsOf(client)).toEqual({
      count: 3,
      drafts: [
        { ...thought, id: ids[2] },
        { ...drafts[0], type: 'stream', id: ids[0] },
        { ...drafts[1], type: 'private', id: ids[1] },
      ],
    });
    expect(await draftsOf(bo)).toEqual({ count: 0, drafts: [] });
  });

  it('have the present time if their time is null', async () => {
    const { client } = await server.createUser(owner, 'Dov');
    await client.must('post', 'drafts', { drafts: [{ ...thought, timestamp: null }] });
    expect((await draftsOf(client))['drafts']).toMatchObject([{ timestamp: expect.any(Number) }]);
  });

  it('can be changed and thrown away', async () => {
    const { ids } = (await ada.must('post', 'drafts', { drafts: [thought] })) as Reply & { ids: number[] };
    const changed = { type: 'private', to: [boId], topic: '', content: 'a whole one', timestamp: 3000 };
    await ada.must('patch', `drafts/${ids[0]}`, { draft: changed });
    expect((await draftsOf(ada))['drafts']).toEqual([{ ...changed, id: ids[0] }]);
    await ada.must('delete', `drafts/${ids[0]}`);
    expect((await draftsOf(ada))['count']).toBe(0);
  });

  it.each([
    ['an unknown type', [{ ...thought, type: 'letter' }]],
    ['no text', [{ ...thought, content: '' }]],
    ['an unknown person', [{ ...thought, type: 'private', to: [99_999] }]],
    ['an unknown channel', [{ ...thought, type: 'stream', to: [99_999] }]],
    ['one good and one bad', [thought, { ...thought, timestamp: -1 }]],
    ['a time that no calendar has', [{ ...thought, timestamp: 1e20 }]],
    ['no list', thought],
  ])('are refused with %s, all together', async (_what, drafts) => {
    const { status, body } = await ada.post('drafts', { drafts });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    expect((await draftsOf(ada))['count']).toBe(0);
  });

  it('are not found where they do not exist or are another’s', async () => {
    const { ids } = (await ada.must('post', 'drafts', { drafts: [thought] })) as Reply & { ids: number[] };
    const answers = await Promise.all([
      ada.delete('drafts/99999'),
      ada.patch('drafts/99999', { draft: thought }),
      bo.delete(`drafts/${ids[0]}`),
      bo.patch(`drafts/${ids[0]}`, { draft: thought }),
    ]);
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        404,
        { result: 'error', msg: 'Draft does not exist', code: 'BAD_REQUEST' },
      ]);
    }
    expect((await draftsOf(ada))['count']).toBe(1);
  });

  it('need a draft to change one', async () => {
    expect((await ada.patch('drafts/1')).body.code).toBe('REQUEST_VARIABLE_MISSING');
  });
});

describe('drafts of a person who turns off their synchronization', () => {
  it('are deleted at once, whoever changed the setting, and new ones are refused', async () => {
    const { client, id } = await server.createUser(owner, 'Dee');
    const save = (): Promise<Reply> => client.must('post', 'drafts', { drafts: [thought, thought] });
    await save();
    await client.must('patch', 'settings', { enable_drafts_synchronization: false });
    const refused = await client.post('drafts', { drafts: [thought] });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'User has disabled synchronizing drafts.' },
    });

    await client.must('patch', 'settings', { enable_drafts_synchronization: true });
    expect(await draftsOf(client)).toMatchObject({ count: 0, drafts: [] });
    const { ids } = await save();
    await owner.must('patch', 'settings', {
      target_users: { user_ids: [id] },
      enable_drafts_synchronization: false,
    });
    expect((await client.delete(`drafts/${String(ids[0])}`)).status).toBe(400);
    await client.must('patch', 'settings', { enable_drafts_synchronization: true });
    expect(await draftsOf(client)).toMatchObject({ count: 0 });
    expect((await client.delete(`drafts/${String(ids[0])}`)).status).toBe(404);
  });

  it('stay in the clients, which receive no events of their deletion', async () => {
    const { client } = await server.createUser(owner, 'Eve');
    await client.must('post', 'drafts', { drafts: [thought] });
    const queue = await client.must('post', 'register', { event_types: ['drafts', 'user_settings'] });
    await client.must('patch', 'settings', { enable_drafts_synchronization: false });
    const asked = { queue_id: queue['queue_id'], last_event_id: -1, dont_block: true };
    const { events } = await client.must('get', 'events', asked);
    expect(events).toEqual([
      {
        id: expect.any(Number),
        type: 'user_settings',
        op: 'update',
        property: 'enable_drafts_synchronization',
        value: false,
      },
    ]);
  });
});
