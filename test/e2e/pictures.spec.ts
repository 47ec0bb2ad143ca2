import { describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import { imageHeaderOf } from '../../src/http/server/image-header.js';
import { staticImages } from '../../src/http/static-images.js';
import { png } from '../support/images.js';

/** Asks without credentials, as pages do. */
async function fetched(path: string): Promise<{ readonly status: number; readonly bytes: Buffer }> {
  const response = await fetch(`${server.site}${path}`);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Where an address leads, as one of the people. */
async function leadsTo(path: string): Promise<string | null> {
  const { email, key } = bo.credentials ?? { email: '', key: '' };
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  const response = await fetch(`${server.site}${path}`, { headers: { authorization }, redirect: 'manual' });
  expect(response.status).toBe(302);
  return response.headers.get('location');
}

describe('the images at fixed addresses', () => {
  it.each([...staticImages.keys()].filter((path) => path.endsWith('.png')))(
    '%s is a picture',
    async (path) => {
      const { status, bytes } = await fetched(`/${path}`);
      expect(status).toBe(200);
      expect(imageHeaderOf(bytes)).toMatchObject({ extension: 'png' });
    },
  );

  it.each([...staticImages.keys()].filter((path) => path.endsWith('.svg')))(
    '%s is a drawing',
    async (path) => {
      const { status, bytes } = await fetched(`/${path}`);
      expect([status, bytes.toString()]).toEqual([200, expect.stringMatching(/^<svg .*<\/svg>$/)]);
    },
  );

  it('hold the one that messages point at', async () => {
    const { rendered } = await ada.must('post', 'messages/render', { content: ':zulip:' });
    const [, path = ''] = /src="([^"]+)"/.exec(rendered as string) ?? [];
    expect((await fetched(path)).status).toBe(200);
  });
});

describe('the picture of an account', () => {
  it('is there under the names that clients make of its address', async () => {
    await ada.upload('users/me/avatar', new File([png], 'me.png', { type: 'image/png' }));
    const { user } = await bo.must('get', `users/${adaId}`, { client_gravatar: false });
    const address = user.avatar_url as string;
    expect(address).toMatch(/\.png$/);
    for (const path of [address, address.replace(/\.png$/, '-medium.png')]) {
      expect(await fetched(path)).toEqual({ status: 200, bytes: png });
    }
    expect((await fetched(address.replace(/\.png$/, '-large.png'))).status).toBe(404);
    const state = await ada.must('post', 'register', { fetch_event_types: ['realm_user'] });
    expect((await fetched(state['avatar_url_medium'] as string)).status).toBe(200);
  });

  it('is there under the names that clients make of its address if it is no PNG, with its own type', async () => {
    const jpeg = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    await bo.upload('users/me/avatar', new File([new Uint8Array(jpeg)], 'me.jpg', { type: 'image/jpeg' }));
    const { user } = await ada.must('get', `users/${boId}`, { client_gravatar: false });
    const address = user.avatar_url as string;
    expect(address).toMatch(/\/[0-9a-f]{32}\.png$/);
    const stem = address.slice(0, -'.png'.length);
    // The last three are made from the address that pictures had earlier.
    for (const ending of ['.png', '-medium.png', '.jpg', '-medium.jpg', '.jpg-medium.png']) {
      const response = await fetch(`${server.site}${stem}${ending}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([ending, response.status, bytes.equals(jpeg)]).toEqual([ending, 200, true]);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
    }
    for (const ending of ['', '.gif', '.png-medium.png', '-large.png']) {
      expect([ending, (await fetch(`${server.site}${stem}${ending}`)).status]).toEqual([ending, 404]);
    }
    const state = await bo.must('post', 'register', { fetch_event_types: ['realm_user'] });
    expect(state['avatar_url_medium']).toBe(`${stem}-medium.png`);
  });

  it('is found by the account’s id and address', async () => {
    const { user } = await bo.must('get', `users/${adaId}`, { client_gravatar: false });
    const address = user.avatar_url as string;
    expect(await leadsTo(`/avatar/${adaId}?v=7`)).toBe(`${address}?v=7`);
    expect(await leadsTo('/avatar/ada@example.com')).toBe(address);
    expect(await leadsTo(`/avatar/${adaId}/medium`)).toBe(address.replace('.png', '-medium.png'));
    expect((await fetch(`${server.site}/avatar/${adaId}`, { redirect: 'manual' })).status).toBe(401);
  });

  it('is a placeholder for an account that does not exist', async () => {
    for (const whom of ['99999', 'nobody@example.com', '99999/medium']) {
      expect(await leadsTo(`/avatar/${whom}`)).toBe('/static/images/unknown-user-avatar.png');
    }
  });
});

describe('an image whose file is missing', () => {
  it('is answered like one that does not exist', async () => {
    await ada.upload('users/me/avatar', new File([png], 'me.png', { type: 'image/png' }));
    await owner.upload('realm/emoji/lost', new File([png], 'lost.png', { type: 'image/png' }));
    await owner.upload('realm/icon', new File([png], 'icon.png', { type: 'image/png' }));
    const { user } = await bo.must('get', `users/${adaId}`, { client_gravatar: false });
    const { emoji } = await bo.must('get', 'realm/emoji');
    const [lost] = Object.values(emoji as Record<string, { readonly source_url: string }>);
    const icon = (await ada.must('get', 'server_settings'))['realm_icon'] as string;
    const paths = [user.avatar_url as string, lost!.source_url, icon.slice(server.site.length)];
    for (const path of paths) {
      const head = await fetch(`${server.site}${path}`, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(png.length)]);
      expect(await fetched(path)).toEqual({ status: 200, bytes: png });
    }
    await rm(join(server.directory, 'files', '1'), { recursive: true });
    for (const path of paths) expect((await fetched(path)).status).toBe(404);
    expect(server.failures).toEqual([]);
  });
});
