import { describe, expect, it } from '@jest/globals';
import { ada, bo, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient } from '../support/api-client.js';
import { png, pngOf } from '../support/images.js';

/** Sends a form with a picture, as clients do. */
async function submit(
  client: ApiClient,
  target: `${'POST' | 'PATCH'} ${string}`,
  { fields, picture }: { readonly fields: Record<string, string>; readonly picture: Buffer | null },
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const [method = '', path = ''] = target.split(' ');
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (picture !== null) form.append('file', new File([new Uint8Array(picture)], 'bot.png'));
  const { email, key } = client.credentials ?? { email: '', key: '' };
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  const answer = await fetch(`${server.site}/api/v1/${path}`, {
    method,
    body: form,
    headers: { authorization },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe('the picture of a bot', () => {
  it('comes with the form that makes the bot, or changes it', async () => {
    const fields = { full_name: 'Painter', short_name: 'painter' };
    const made = await submit(bo, 'POST bots', { fields, picture: png });
    expect(made.status).toBe(200);
    const first = made.body['avatar_url'] as string;
    expect((await fetch(`${server.site}${first}`)).status).toBe(200);
    const path = `bots/${String(made.body['user_id'])}`;
    const changed = await submit(bo, `PATCH ${path}`, { fields: { full_name: 'Painter 2' }, picture: png });
    expect(changed.body).toMatchObject({ full_name: 'Painter 2', bot_owner: 'bo@example.com' });
    expect(changed.body['avatar_url']).not.toBe(first);
    expect((await fetch(`${server.site}${first}`)).status).toBe(404);
  });

  it('may be left out of such a form', async () => {
    const fields = { full_name: 'Plain', short_name: 'plain' };
    const { status, body } = await submit(bo, 'POST bots', { fields, picture: null });
    expect([status, body['avatar_url']]).toEqual([200, expect.stringContaining('gravatar')]);
  });

  it('is a picture, of a bounded size, and for the bot’s keepers alone', async () => {
    const { user_id: id } = await bo.must('post', 'bots', { full_name: 'Guarded', short_name: 'guarded' });
    const path = `bots/${String(id)}`;
    const send = async (client: ApiClient, picture: Buffer): Promise<number> =>
      (await submit(client, `PATCH ${path}`, { fields: {}, picture })).status;
    expect(await send(bo, Buffer.from('no picture'))).toBe(400);
    expect(await send(bo, pngOf(10_000, 10_000))).toBe(400);
    expect(await send(ada, png)).toBe(400);
    expect(await send(owner, png)).toBe(200);
  });
});

describe('the address of a bot', () => {
  it('follows from another short name, and is nobody else’s', async () => {
    const { user_id: id } = await bo.must('post', 'bots', { full_name: 'Mover', short_name: 'mover' });
    const path = `bots/${String(id)}`;
    await bo.must('patch', path, { short_name: 'moved' });
    const { user } = await bo.must('get', `users/${String(id)}`);
    expect(user.email).toMatch(/^moved-bot@/);
    await bo.must('post', 'bots', { full_name: 'Other', short_name: 'mover' });
    expect((await bo.patch(path, { short_name: 'mover' })).status).toBe(400);
    expect((await bo.patch(path, { short_name: '' })).status).toBe(400);
    expect((await ada.patch(path, { short_name: 'mine' })).status).toBe(400);
  });
});
