import { request as httpRequest } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';
import { newDataDirectory, removeDataDirectory } from '../crash/support/data-directory.js';

/** From which byte on what comes. */
type Part = readonly [from: number, body: string];
type Headers = Readonly<Record<string, string>>;

const text = 'Note G computes Bernoulli numbers.';
const tus: Headers = { 'tus-resumable': '1.0.0' };
const encoded = (value: string): string => Buffer.from(value).toString('base64');

let directory: string;
let stores: ServerStores;
let server: TestServer;
let ada: ApiClient;
let bo: ApiClient;

beforeAll(async () => {
  directory = await newDataDirectory();
  stores = ServerStores.embedded();
  server = await TestServer.start({ directory, stores });
  const owner = await server.owner();
  ({ client: ada } = await server.createUser(owner, 'Ada'));
  ({ client: bo } = await server.createUser(owner, 'Bo'));
});

afterAll(async () => {
  await server.stop();
  await removeDataDirectory(directory);
});

function begin(client: ApiClient, headers: Headers): Promise<Response> {
  return client.submitRequest('/api/v1/tus/', { method: 'POST', headers: { ...tus, ...headers } });
}

/** Begins an upload of the text; answers where its parts go. */
async function begun(client: ApiClient, length = text.length): Promise<string> {
  const metadata = `filename ${encoded('note g.txt')},filetype ${encoded('text/plain')}`;
  const reply = await begin(client, { 'upload-length': String(length), 'upload-metadata': metadata });
  expect([reply.status, reply.headers.get('tus-resumable')]).toEqual([201, '1.0.0']);
  return reply.headers.get('location')!;
}

function send(client: ApiClient, place: string, [from, body]: Part): Promise<Response> {
  const headers = {
    ...tus,
    'upload-offset': String(from),
    'content-type': 'application/offset+octet-stream',
  };
  return client.submitRequest(place, { method: 'PATCH', headers, body });
}

async function offsetOf(client: ApiClient, place: string): Promise<readonly (number | null)[]> {
  const { status, headers } = await client.submitRequest(place, { method: 'HEAD', headers: tus });
  const number = (name: string): number | null => (headers.has(name) ? Number(headers.get(name)) : null);
  return [status, number('upload-offset'), number('upload-length')];
}

async function parts(): Promise<readonly string[]> {
  const names = await readdir(join(directory, 'files'), { recursive: true });
  return names.filter((name) => /incoming\/./.test(name));
}

describe('an upload in parts', () => {
  it('is described in replies to OPTIONS, also without an account', async () => {
    const reply = await fetch(`${server.site}/api/v1/tus`, { method: 'OPTIONS' });
    expect(reply.status).toBe(204);
    const told = ['tus-version', 'tus-extension', 'tus-max-size'].map((name) => reply.headers.get(name));
    expect(told).toEqual(['1.0.0', 'creation,termination', String(100 * 1_048_576)]);
    expect(reply.headers.get('access-control-allow-headers')).toContain('Upload-Offset');
  });

  it('comes part by part, and is an upload as others are once it is whole', async () => {
    const place = await begun(ada);
    expect(place).toMatch(/^\/api\/v1\/tus\/[0-9a-f]{40}$/);
    expect(await offsetOf(ada, place)).toEqual([200, 0, text.length]);
    const first = await send(ada, place, [0, text.slice(0, 10)]);
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '10']);
    expect(await offsetOf(ada, place)).toEqual([200, 10, text.length]);
    const last = await send(ada, place, [10, text.slice(10)]);
    const answer = (await last.json()) as { readonly url: string; readonly filename: string };
    expect([last.status, answer.filename]).toEqual([200, 'note g.txt']);
    expect(answer.url).toMatch(/^\/user_uploads\/1\/..\/.+\/note-g\.txt$/);
    const served = await ada.fetch(answer.url);
    expect([served.headers.get('content-type'), await served.text()]).toEqual([
      'text/plain; charset=utf-8',
      text,
    ]);
    const { attachments } = await ada.must('get', 'attachments');
    expect(attachments).toMatchObject([{ name: 'note g.txt', size: text.length }]);
    expect(await offsetOf(ada, place)).toEqual([404, null, null]);
    await eventually(parts, ({ length }) => length === 0);
  });

  it('continues where it was interrupted, also after the server was killed', async () => {
    const place = await begun(ada);
    const breakOff = (): Promise<void> =>
      new Promise<void>((broken) => {
        const sending = httpRequest(`${server.site}${place}`, {
          method: 'PATCH',
          headers: {
            ...tus,
            authorization: `Basic ${encoded(`${ada.credentials!.email}:${ada.credentials!.key}`)}`,
            'upload-offset': '0',
            'content-type': 'application/offset+octet-stream',
            'content-length': String(text.length),
          },
        });
        sending.on('error', () => broken());
        sending.write(text.slice(0, 20), () => sending.destroy(new Error('Gone')));
      });
    // A connection that breaks before the server reads from it leaves nothing behind: then it is tried again.
    const [, came] = await eventually(
      async () => {
        await breakOff();
        return offsetOf(ada, place);
      },
      ([, offset]) => offset === 20,
    );
    await server.kill();
    server = await TestServer.start({ directory, stores });
    ada = ada.at(server.site);
    bo = bo.at(server.site);
    expect(await offsetOf(ada, place)).toEqual([200, came, text.length]);
    const last = await send(ada, place, [20, text.slice(20)]);
    const { url } = (await last.json()) as { readonly url: string };
    expect(await (await ada.fetch(url)).text()).toBe(text);
  });

  it('is nobody else’s', async () => {
    const place = await begun(ada);
    expect(await offsetOf(bo, place)).toEqual([404, null, null]);
    expect((await send(bo, place, [0, text])).status).toBe(404);
    expect((await bo.submitRequest(place, { method: 'DELETE', headers: tus })).status).toBe(404);
    const nobody = await fetch(`${server.site}${place}`, { method: 'HEAD', headers: tus });
    expect(nobody.status).toBe(401);
    expect((await fetch(`${server.site}/api/v1/tus`, { method: 'POST', headers: tus })).status).toBe(401);
  });

  it('can be abandoned by its owner, which removes its parts', async () => {
    // Parts of uploads that have become whole are removed in the background, possibly not yet.
    const others = new Set(await parts());
    const own = async (): Promise<readonly string[]> => (await parts()).filter((name) => !others.has(name));
    const place = await begun(ada);
    await send(ada, place, [0, text.slice(0, 5)]);
    expect(await own()).toHaveLength(1);
    expect((await ada.submitRequest(place, { method: 'DELETE', headers: tus })).status).toBe(204);
    expect((await send(ada, place, [5, text.slice(5)])).status).toBe(404);
    await eventually(own, ({ length }) => length === 0);
  });

  it('is refused with the statuses that its clients know', async () => {
    const place = await begun(ada);
    const part = { ...tus, 'upload-offset': '0' };
    const replies = [
      await ada.submitRequest('/api/v1/tus', { method: 'POST', headers: { 'upload-length': '1' } }),
      await begin(ada, {}),
      await begin(ada, { 'upload-defer-length': '1' }),
      await begin(ada, { 'upload-length': String(100 * 1_048_576 + 1) }),
      await begin(ada, { 'upload-length': '1', 'upload-metadata': 'filename ***' }),
      await send(ada, place, [3, text]),
      await send(ada, place, [0, `${text} And more.`]),
      await ada.submitRequest(place, {
        method: 'PATCH',
        headers: { ...part, 'content-type': 'text/plain' },
        body: 'x',
      }),
    ];
    const long = await send(ada, place, [0, 'x'.repeat(4_000_000)]);
    expect([long.status, ((await long.json()) as { readonly message: string }).message]).toEqual([
      413,
      'The part is longer than what is left of the file',
    ]);
    expect(replies.map(({ status }) => status)).toEqual([412, 411, 411, 413, 400, 409, 413, 415]);
    expect(await replies[3]!.json()).toMatchObject({ message: expect.stringContaining('100 MiB') });
    expect(await offsetOf(ada, place)).toEqual([200, 0, text.length]);
  });

  it('without bytes is whole at once', async () => {
    const reply = await begin(ada, { 'upload-length': '0', 'upload-metadata': `filename ${encoded('nil')}` });
    const { url } = (await reply.json()) as { readonly url: string };
    expect([reply.status, await (await ada.fetch(url)).text()]).toEqual([201, '']);
  });
});
