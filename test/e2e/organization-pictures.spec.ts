import { describe, expect, it } from '@jest/globals';
import { ada, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';
import { png, pngOf } from '../support/images.js';

async function upload(client: ApiClient, path: string, picture: Buffer | null): Promise<number> {
  const form = new FormData();
  if (path === 'realm/logo') form.append('night', 'true');
  if (picture !== null) form.append('file', new File([new Uint8Array(picture)], 'icon.png'));
  return (await client.submit(path, form)).status;
}

async function served(address: string): Promise<Buffer | number> {
  const answer = await fetch(new URL(address, server.site));
  return answer.ok ? Buffer.from(await answer.arrayBuffer()) : answer.status;
}

async function leadsTo(path: string): Promise<string | null> {
  const { email, key } = ada.credentials ?? { email: '', key: '' };
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  const answer = await fetch(`${server.site}/api/v1/${path}`, {
    headers: { authorization },
    redirect: 'manual',
  });
  return answer.status === 302 ? answer.headers.get('location') : null;
}

describe('the icon of the organization', () => {
  it('is one of the server’s until it has one of its own, and again when that is taken away', async () => {
    const first = (await ada.must('get', 'server_settings'))['realm_icon'] as string;
    expect(await served(first)).toBeInstanceOf(Buffer);
    const queue = await ClientQueue.register(ada, ['realm']);
    expect(await upload(owner, 'realm/icon', png)).toBe(200);
    const address = '/user_avatars/1/realm/icon.png?version=1';
    expect(await queue.next()).toEqual([
      { type: 'realm', op: 'update_dict', property: 'icon', data: { icon_url: address, icon_source: 'U' } },
    ]);
    expect(await served(address)).toEqual(png);
    expect(await leadsTo('realm/icon')).toBe(address);
    const state = await ada.must('post', 'register', { fetch_event_types: ['realm'] });
    expect(state).toMatchObject({ realm_icon_url: `${server.site}${address}`, realm_icon_source: 'U' });
    await owner.must('delete', 'realm/icon');
    expect((await ada.must('get', 'server_settings'))['realm_icon']).toBe(first);
    expect(await served(address)).toBe(404);
  });

  it('is a picture, of a bounded size, and for administrators to choose', async () => {
    expect(await upload(ada, 'realm/icon', png)).toBe(400);
    expect((await ada.delete('realm/icon')).body.code).toBe('UNAUTHORIZED_PRINCIPAL');
    expect(await upload(owner, 'realm/icon', null)).toBe(400);
    expect(await upload(owner, 'realm/icon', Buffer.from('text'))).toBe(400);
    expect(await upload(owner, 'realm/icon', pngOf(10_000, 10_000))).toBe(400);
  });
});

describe('a logo of the organization', () => {
  it('is one for light pages or for dark ones', async () => {
    const queue = await ClientQueue.register(ada, ['realm']);
    expect(await upload(owner, 'realm/logo', png)).toBe(200);
    const address = '/user_avatars/1/realm/night_logo.png?version=1';
    expect(await queue.next()).toEqual([
      expect.objectContaining({
        property: 'night_logo',
        data: { night_logo_url: address, night_logo_source: 'U' },
      }),
    ]);
    expect(await leadsTo('realm/logo?night=true')).toBe(address);
    expect(await served((await leadsTo('realm/logo?night=false')) ?? '')).toBeInstanceOf(Buffer);
    await owner.must('delete', 'realm/logo', { night: true });
    expect(await served(address)).toBe(404);
    expect((await owner.delete('realm/logo')).body.code).toBe('REQUEST_VARIABLE_MISSING');
  });
});
