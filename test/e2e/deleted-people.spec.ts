import { describe, expect, it } from '@jest/globals';
import { ada, adaId, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { png } from '../support/images.js';
import { Listener } from '../support/listener.js';

async function say(sender: ApiClient, to: number, content: string): Promise<number> {
  return (await sender.must('post', 'messages', { type: 'channel', to, topic: 'looms', content }))[
    'id'
  ] as number;
}

/** Which of the messages Ada still sees. */
async function left(ids: readonly number[]): Promise<readonly number[]> {
  const { messages } = await ada.must('get', 'messages', { message_ids: ids });
  return (messages as { id: number }[]).map(({ id }) => id);
}

/** Somebody who wrote in a public channel, in a private one and directly, and once answered somebody. */
async function writer(name: string): Promise<{ id: number; messages: readonly [number, number, number] }> {
  const { client, id } = await server.createUser(owner, name);
  const open = await ada.createChannel(`open to ${name}`, { principals: [adaId, id] });
  const closed = await ada.createChannel(`closed with ${name}`, {
    principals: [adaId, id],
    invite_only: true,
  });
  const direct = await client.must('post', 'messages', { type: 'direct', to: [adaId], content: 'hi' });
  await client.upload('users/me/avatar', new File([new Uint8Array(png)], 'me.png'));
  return {
    id,
    messages: [await say(client, open, 'x'), await say(client, closed, 'y'), direct['id'] as number],
  };
}

describe('deactivating somebody', () => {
  it.each([
    ['delete_public_channel_messages', 0],
    ['delete_private_channel_messages', 1],
    ['delete_direct_messages', 2],
  ])('deletes what %s says, and nothing else', async (action, index) => {
    const { id, messages } = await writer(`Writer ${index}`);
    await owner.must('delete', `users/${id}`, { actions: { [action]: true } });
    const expected = messages.filter((_, place) => place !== index).sort((one, other) => one - other);
    await eventually(
      async () => left(messages),
      (found) => found.length === 2,
    );
    expect(await left(messages)).toEqual(expected);
    const { user } = await ada.must('get', `users/${id}`);
    expect(user).toMatchObject({ full_name: `Writer ${index}`, is_active: false });
    expect(user).not.toHaveProperty('is_deleted');
  });

  it('deletes what their bots wrote too, those that were deactivated before among them', async () => {
    const { client, id } = await server.createUser(owner, 'Keeper');
    const { client: bot, id: botId } = await server.createBot(client, 'Spinner');
    const { client: old, id: oldId } = await server.createBot(client, 'Carder');
    const open = await ada.createChannel('open to bots', { principals: [adaId, id, botId, oldId] });
    const messages = [await say(client, open, 'x'), await say(bot, open, 'y'), await say(old, open, 'z')];
    await client.must('delete', `bots/${oldId}`);
    const actions = { delete_public_channel_messages: true, delete_profile: true };
    await owner.must('delete', `users/${id}`, { actions });
    await eventually(
      async () => left(messages),
      (found) => found.length === 0,
    );
    const { user } = await ada.must('get', `users/${botId}`);
    expect(user).toMatchObject({ full_name: 'Deleted user', is_active: false, is_deleted: true });
  });

  it('takes the profile away where that is asked for, and leaves the messages', async () => {
    const { id, messages } = await writer('Writer 9');
    await owner.must('delete', `users/${id}`, { actions: { delete_profile: true } });
    const { user } = await ada.must('get', `users/${id}`, { client_gravatar: false });
    expect(user).toMatchObject({ full_name: 'Deleted user', is_deleted: true });
    expect(user.avatar_url).not.toContain('/user_avatars/');
    expect(await left(messages)).toHaveLength(3);
    expect(await owner.post(`users/${id}/reactivate`)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'This account was deleted and cannot be reactivated.' },
    });
    expect((await ada.must('get', `users/${id}`))['user']).toMatchObject({ is_active: false });
  });

  it('keeps the address for the deleted profile until an owner gives that another one', async () => {
    const { client, id } = await server.createUser(owner, 'Napper');
    const { delivery_email: email } = await client.must('get', 'users/me');
    const again = { email, full_name: 'Napper', password: 'mauve-loom-napper' };
    await owner.must('delete', `users/${id}`, { actions: { delete_profile: true } });
    expect((await owner.post('users', again)).status).toBe(400);
    await owner.must('patch', `users/${id}`, { new_email: 'former-napper@example.com' });
    const { user_id: other } = await owner.must('post', 'users', again);
    expect((await ada.must('get', `users/${id}`))['user']).toMatchObject({ is_deleted: true });
    expect((await ada.must('get', `users/${other as number}`))['user']).toMatchObject({
      full_name: 'Napper',
    });
  });

  it('tells clients whose profile is deleted, also of bots, and of nobody whose profile stays', async () => {
    const { client, id } = await server.createUser(owner, 'Dyer');
    const { id: botId } = await server.createBot(client, 'Mordant');
    const { id: otherId } = await server.createUser(owner, 'Fuller');
    const listener = await Listener.register(ada, { event_types: ['realm_user'] });
    await owner.must('delete', `users/${id}`, { actions: { delete_profile: true } });
    await owner.must('delete', `users/${otherId}`, { actions: { delete_public_channel_messages: true } });
    const news = (await listener.newsOf('realm_user')).map(({ op, person }) => ({
      op,
      person: person as object,
    }));
    const deleted = news.filter(({ person }) => 'is_deleted' in person);
    expect(deleted).toEqual([
      { op: 'update', person: { user_id: botId, is_deleted: true } },
      { op: 'update', person: { user_id: id, is_deleted: true } },
    ]);
  });

  it('takes no other actions, and asks of nobody but administrators', async () => {
    const { id, messages } = await writer('Writer 10');
    const all = { delete_profile: true, delete_direct_messages: true };
    expect((await ada.delete(`users/${id}`, { actions: all })).status).toBe(400);
    expect((await owner.delete(`users/${id}`, { actions: { delete_profile: 'yes' } })).status).toBe(400);
    expect((await owner.delete(`users/${id}`, { actions: [] })).status).toBe(400);
    expect(await left(messages)).toHaveLength(3);
  });
});
