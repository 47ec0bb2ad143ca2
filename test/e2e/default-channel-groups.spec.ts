import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';

let looms: number;
let wool: number;

beforeAll(async () => {
  looms = await ada.createChannel('looms');
  wool = await ada.createChannel('wool');
});

interface Group {
  readonly id: number;
  readonly name: string;
}

async function groups(client: ApiClient = ada): Promise<Group[]> {
  const state = await client.must('post', 'register', { fetch_event_types: ['default_stream_groups'] });
  return state['realm_default_stream_groups'] as Group[];
}

async function create(group_name: string, stream_names: readonly string[]): Promise<Group> {
  await owner.must('post', 'default_stream_groups/create', { group_name, description: 'd', stream_names });
  return (await groups()).find(({ name }) => name === group_name)!;
}

describe('channels that new people may choose together', () => {
  it('are created, changed and removed by administrators, and sent to clients as a whole', async () => {
    const queue = await ClientQueue.register(ada, ['default_stream_groups']);
    const { id } = await create('Weavers', ['looms']);
    const path = `default_stream_groups/${id}`;
    await owner.must('patch', `${path}/streams`, { op: 'add', stream_names: ['wool'] });
    await owner.must('patch', path, { new_group_name: 'Spinners', new_description: 'Who spin' });
    await owner.must('patch', `${path}/streams`, { op: 'remove', stream_names: ['looms'] });
    const last = { id, name: 'Spinners', description: 'Who spin', streams: [wool] };
    expect(await groups()).toEqual([last]);
    await owner.must('delete', path);
    expect(await groups()).toEqual([]);
    const told = [...(await queue.next())];
    while (told.length < 5) told.push(...(await queue.next()));
    expect(told.map((event) => event['default_stream_groups'])).toEqual([
      [{ id, name: 'Weavers', description: 'd', streams: [looms] }],
      [{ id, name: 'Weavers', description: 'd', streams: [looms, wool] }],
      [{ ...last, streams: [looms, wool] }],
      [last],
      [],
    ]);
  });

  it('are public ones, under a name of their own', async () => {
    await ada.createChannel('closet', { invite_only: true });
    await owner.createChannel('den', { invite_only: true });
    const { id } = await create('Taken', ['looms']);
    const make = async (parameters: object): Promise<number> =>
      (
        await owner.post('default_stream_groups/create', {
          group_name: 'New',
          description: '',
          stream_names: [],
          ...parameters,
        })
      ).status;
    const path = `default_stream_groups/${id}`;
    expect([
      await make({ group_name: 'Taken' }),
      await make({ group_name: ' ' }),
      await make({ group_name: 'x'.repeat(61) }),
      await make({ description: 'x'.repeat(1025) }),
      await make({ stream_names: ['closet'] }),
      await make({ stream_names: ['den'] }),
      await make({ stream_names: ['nowhere'] }),
      (await owner.patch(path, {})).status,
      (await owner.patch(`${path}/streams`, { op: 'add', stream_names: ['looms'] })).status,
      (await owner.patch(`${path}/streams`, { op: 'remove', stream_names: ['wool'] })).status,
      (await owner.patch(`${path}/streams`, { op: 'turn', stream_names: [] })).status,
      (await owner.delete('default_stream_groups/9999')).status,
    ]).toEqual(Array.from({ length: 12 }, () => 400));
  });

  it('are not those of everybody new', async () => {
    const hall = await ada.createChannel('hall');
    await owner.must('post', 'default_streams', { stream_id: hall });
    const { id } = await create('Guests of the hall', ['wool']);
    const group = { group_name: 'Hall', description: '', stream_names: ['wool', 'hall'] };
    const refused = [
      await owner.post('default_stream_groups/create', group),
      await owner.patch(`default_stream_groups/${id}/streams`, { op: 'add', stream_names: ['hall'] }),
    ];
    expect(refused.map(({ status, body }) => [status, body['code']])).toEqual([
      [400, 'BAD_REQUEST'],
      [400, 'BAD_REQUEST'],
    ]);
    await owner.must('delete', 'default_streams', { stream_id: hall });
    await owner.must('patch', `default_stream_groups/${id}/streams`, { op: 'add', stream_names: ['hall'] });
    await owner.must('delete', `default_stream_groups/${id}`);
  });

  it('are nobody’s to choose but administrators’, and not shown to guests', async () => {
    const { id } = await create('Guarded', []);
    const { client: guest, id: guestId } = await server.createUser(owner, 'Guest');
    await owner.must('patch', `users/${guestId}`, { role: 600 });
    expect(await groups(guest)).toEqual([]);
    for (const client of [ada, guest]) {
      const answers = [
        await client.post('default_stream_groups/create', {
          group_name: 'x',
          description: '',
          stream_names: [],
        }),
        await client.patch(`default_stream_groups/${id}`, { new_group_name: 'x' }),
        await client.patch(`default_stream_groups/${id}/streams`, { op: 'add', stream_names: ['wool'] }),
        await client.delete(`default_stream_groups/${id}`),
      ];
      expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'UNAUTHORIZED_PRINCIPAL'));
    }
  });
});
