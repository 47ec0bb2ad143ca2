import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, owner, server } from '../support/ada-and-bo.js';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reply } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';
import { png, pngOf } from '../support/images.js';

beforeAll(async () => {
  await ada.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'looms' }] });
});

const picture = new File([png], 'picture.png', { type: 'image/png' });

async function add(name: string, client = ada): Promise<Reply> {
  const { status, body } = await client.upload(`realm/emoji/${name}`, picture);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const { emoji } = await ada.must('get', 'realm/emoji');
  return Object.values(emoji as Record<string, Reply>).findLast((one) => one['name'] === name)!;
}

async function send(content: string): Promise<number> {
  const message = { type: 'channel', to: 'looms', topic: 'threads', content };
  return (await ada.must('post', 'messages', message))['id'] as number;
}

async function read(id: number): Promise<Reply> {
  return (await ada.must('get', `messages/${id}`))['message'] as Reply;
}

describe('custom emoji', () => {
  it('are listed for everyone by id, and their images served to everyone', async () => {
    const emoji = await add('engine');
    expect(emoji).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'engine',
      source_url: expect.stringMatching(/^\/user_avatars\/1\/emoji\/images\/[0-9a-f]{32}\.png$/),
      still_url: null,
      deactivated: false,
      author_id: adaId,
    });
    const response = await fetch(`${server.site}${emoji['source_url']}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect((await fetch(`${server.site}/user_avatars/1/emoji/images/none.png`)).status).toBe(404);
  });

  it('stand in messages, and stay there when they are taken out of use', async () => {
    const { source_url: url } = await add('loom');
    const before = await read(await send('a :loom: again'));
    expect(before['content']).toBe(
      `<p>a <img alt=":loom:" class="emoji" src="${url as string}" title="loom"> again</p>`,
    );
    await ada.must('delete', 'realm/emoji/loom');
    expect((await read(before['id'] as number))['content']).toBe(before['content']);
    expect((await read(await send(':loom:')))['content']).toBe('<p>:loom:</p>');
  });

  it('are reacted with by name or by code, and joined in even when they are out of use', async () => {
    const { id: code } = await add('shuttle');
    const id = await send('weave');
    const reaction = { emoji_name: 'shuttle', emoji_code: code as string, reaction_type: 'realm_emoji' };
    await ada.must('post', `messages/${id}/reactions`, { emoji_name: 'shuttle' });
    await ada.must('delete', 'realm/emoji/shuttle');
    await bo.must('post', `messages/${id}/reactions`, reaction);
    expect((await read(id))['reactions']).toMatchObject([reaction, reaction]);
    const other = await send('weave on');
    expect((await bo.post(`messages/${other}/reactions`, reaction)).body.msg).toBe(
      'This custom emoji has been deactivated.',
    );
    await bo.must('delete', `messages/${id}/reactions`, reaction);
    expect((await read(id))['reactions']).toHaveLength(1);
  });

  it.each<readonly [string, string, File, string]>([
    ['a name that will not do', 'Engine!', picture, 'BAD_REQUEST'],
    ['a name of a built-in emoji', 'octopus', picture, 'BAD_REQUEST'],
    ['no image', 'text', new File(['text'], 'a.png'), 'BAD_IMAGE'],
    [
      'active content',
      'svg',
      new File(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'], 'a.svg'),
      'BAD_IMAGE',
    ],
    ['an enormous picture', 'bomb', new File([pngOf(20_000, 20_000)], 'a.png'), 'BAD_IMAGE'],
    ['a file above 5 MiB', 'large', new File([png, new Uint8Array(5 * 1_048_576)], 'a.png'), 'BAD_REQUEST'],
  ])('are refused with %s', async (...[_what, name, file, code]) => {
    const { status, body } = await ada.upload(`realm/emoji/${encodeURIComponent(name)}`, file);
    expect([status, body.code]).toEqual([400, code]);
  });

  it('are refused without a file, and with a name that is taken, of which nothing is kept', async () => {
    expect((await ada.post('realm/emoji/nothing')).body.msg).toBe('You must specify a file to upload');
    await add('taken');
    const folder = join(server.directory, 'files', '1', 'emoji');
    const before = await readdir(folder);
    const { status, body } = await bo.upload('realm/emoji/taken', picture);
    expect([status, body.msg]).toEqual([400, 'A custom emoji with this name already exists.']);
    expect(await readdir(folder)).toEqual(before);
  });

  it('are taken out of use by their author and by administrators', async () => {
    await add('own');
    const { status, body } = await bo.delete('realm/emoji/own');
    expect([status, body.msg]).toEqual([400, 'Insufficient permission']);
    await owner.must('delete', 'realm/emoji/own');
    expect((await ada.delete('realm/emoji/own')).status).toBe(404);
  });

  it('are told to clients as each understands it', async () => {
    const [older, newer] = await Promise.all([
      ClientQueue.register(bo, ['realm_emoji']),
      ClientQueue.register(bo, ['realm_emoji'], { individual_emoji_changes: true }),
    ]);
    expect(newer.state['realm_emoji']).toEqual((await bo.must('get', 'realm/emoji'))['emoji']);
    const emoji = await add('told');
    const { emoji: all } = await bo.must('get', 'realm/emoji');
    expect(await newer.next()).toEqual([{ type: 'realm_emoji', op: 'add', emoji }]);
    expect(await older.next()).toEqual([{ type: 'realm_emoji', op: 'update', realm_emoji: all }]);
    await ada.must('delete', 'realm/emoji/told');
    expect(await newer.next()).toEqual([
      { type: 'realm_emoji', op: 'update_one', emoji_id: emoji['id'] as string, data: { deactivated: true } },
    ]);
  });

  it('are added by whom the organization lets', async () => {
    await owner.must('patch', 'realm', { can_add_custom_emoji_group: { new: 6 } });
    const { status, body } = await ada.upload('realm/emoji/late', picture);
    expect([status, body.msg]).toEqual([400, 'Insufficient permission']);
    expect(await add('late', owner)).toMatchObject({ name: 'late' });
  });
});
