import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { budgets } from '../../src/kernel/budgets.js';
import { ImpatientClient, type ApiClient, type Reply } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';
import { eventually } from '../support/eventually.js';
import { S3StandIn } from '../support/s3-stand-in.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let ada: ApiClient;
let bo: ApiClient;
let boId: number;
let guest: ApiClient;

beforeAll(async () => {
  server = await TestServer.start();
  const owner = await server.owner();
  ({ client: ada } = await server.createUser(owner, 'Ada'));
  ({ client: bo, id: boId } = await server.createUser(owner, 'Bo'));
  ({ client: guest } = await server.createUser(owner, 'Gil'));
  await ada.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'files' }] });
  await ada.must('post', 'users/me/subscriptions', {
    subscriptions: [{ name: 'secret files' }],
    invite_only: true,
  });
});

afterAll(async () => {
  await server.stop();
});

const text = 'Note G computes Bernoulli numbers.';

async function uploaded(client: ApiClient, file = new File([text], 'note g.txt')): Promise<string> {
  const { status, body } = await client.upload('user_uploads', file);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body['url'] as string;
}

async function send(client: ApiClient, content: string, to: unknown = 'files'): Promise<number> {
  const addressee = Array.isArray(to) ? { type: 'direct', to } : { type: 'channel', to, topic: 'uploads' };
  return (await client.must('post', 'messages', { ...addressee, content }))['id'] as number;
}

async function attachmentAt(client: ApiClient, url: string): Promise<Reply | undefined> {
  const { attachments } = await client.must('get', 'attachments');
  return (attachments as Reply[]).find(({ path_id: path }) => `/user_uploads/${path}` === url);
}

/** Everything in the folder of stored files, as one text. */
async function storedBytes(): Promise<string> {
  const folder = join(server.directory, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (
    await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))
  ).join();
}

describe('an uploaded file', () => {
  it('is answered with its address and the name that its uploader gave it', async () => {
    const { body } = await ada.upload('user_uploads', new File([text], 'né 1.txt'));
    expect(body).toMatchObject({ result: 'success', filename: 'né 1.txt', uri: body['url'] as string });
    expect(body['url']).toMatch(/^\/user_uploads\/1\/[0-9a-f]{2}\/[0-9a-f]{38}\/né-1\.txt$/);
    const response = await ada.fetch(encodeURI(body['url'] as string));
    expect([response.status, await response.text()]).toEqual([200, text]);
    expect(response.headers.get('content-disposition')).toBe(
      `inline; filename="n_ 1.txt"; filename*=UTF-8''n%C3%A9%201.txt`,
    );
  });

  it('has a name though its uploader gave it none', async () => {
    const { body } = await ada.upload('user_uploads', new File([text], ''));
    expect(body).toMatchObject({ result: 'success', filename: 'uploaded-file' });
  });

  it('is encrypted in the store, at any length', async () => {
    const long = 'palimpsest '.repeat(20_000);
    const url = await uploaded(ada, new File([long], 'long.txt'));
    const empty = await uploaded(ada, new File([], 'empty.txt'));
    expect(await (await ada.fetch(url)).text()).toBe(long);
    expect(await (await ada.fetch(empty)).text()).toBe('');
    expect(await storedBytes()).not.toContain('palimpsest');
  });

  it.each([
    ['bytes=0-9', 206, 'bytes 0-9/170000'],
    ['bytes=65530-65545', 206, 'bytes 65530-65545/170000'],
    ['bytes=131072-', 206, 'bytes 131072-169999/170000'],
    ['bytes=-5', 206, 'bytes 169995-169999/170000'],
    ['bytes=9-2', 200, null],
    ['bytes=170000-', 416, 'bytes */170000'],
  ])('is served in ranges: %s', async (range, status, contentRange) => {
    const long = Array.from({ length: 17_000 }, (_, index) => String(index).padStart(10, '.')).join('');
    const url = await uploaded(ada, new File([long], 'ranges.txt'));
    const response = await ada.fetch(url, { range });
    expect([response.status, response.headers.get('content-range')]).toEqual([status, contentRange]);
    if (status === 416) return;
    const [, from = 0, through = long.length - 1] = (/ (\d+)-(\d+)/.exec(contentRange ?? '') ?? []).map(
      Number,
    );
    expect(await response.text()).toBe(long.slice(from, through + 1));
  });

  it.each([
    ['page.html', 'text/html', 'attachment', 'text/html; charset=utf-8'],
    ['drawing.svg', 'image/svg+xml', 'attachment', 'image/svg+xml'],
    ['picture.png', '', 'inline', 'image/png'],
    ['program', '', 'attachment', 'application/octet-stream'],
    ['letter.pdf', 'application/pdf', 'inline', 'application/pdf'],
  ])('is never active content: %s', async (...[name, type, disposition, contentType]) => {
    const url = await uploaded(ada, new File(['<script>alert(1)</script>'], name, { type }));
    const { headers } = await ada.fetch(url);
    expect(headers.get('content-type')).toBe(contentType);
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*sandbox$/);
    const saved = await ada.fetch(url.replace('/user_uploads/', '/user_uploads/download/'));
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;/);
  });

  it('is refused above 100 MiB, and none of its bytes are kept', async () => {
    const before = (await ada.must('get', 'attachments'))['upload_space_used'] as number;
    const large = new File([new Uint8Array(100 * 1_048_576 + 1)], 'large.bin');
    const { status, body } = await ada.upload('user_uploads', large);
    expect([status, body.code, body.msg]).toEqual([
      400,
      'BAD_REQUEST',
      'Uploaded file is larger than the allowed limit of 100 MiB',
    ]);
    expect((await ada.must('get', 'attachments'))['upload_space_used']).toBe(before);
    expect(await readdir(join(server.directory, 'incoming-files'))).toEqual([]);
  });

  it('must be sent, and alone', async () => {
    const none = await ada.post('user_uploads', { filename: 'a.txt' });
    expect([none.status, none.body.msg]).toEqual([400, 'You must specify a file to upload']);
    const form = new FormData();
    form.append('a', new File(['a'], 'a.txt'));
    form.append('b', new File(['b'], 'b.txt'));
    const two = await ada.submit('user_uploads', form);
    expect([two.status, two.body.msg]).toEqual([400, 'You may only upload one file at a time']);
  });
});

describe('a body that breaks off within its file', () => {
  it.each(['user_uploads', 'users/me/avatar', 'realm/emoji/torn'])('is refused at %s', async (path) => {
    const owner = await server.owner();
    const part = 'content-disposition: form-data; name="filename"; filename="a.txt"\r\n\r\nx';
    const { status, body } = await owner.sendBody(path, `--b\r\n${part}`, 'multipart/form-data; boundary=b');
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Malformed multipart body']);
    expect(await readdir(join(server.directory, 'incoming-files'))).toEqual([]);
    expect((await owner.get('users/me')).status).toBe(200);
  });
});

describe('the people who may see an upload', () => {
  it('is its uploader alone, until a message refers to it', async () => {
    const url = await uploaded(ada);
    expect((await ada.fetch(url)).status).toBe(200);
    expect((await bo.fetch(url)).status).toBe(404);
    await send(ada, `[note](${url})`, [boId]);
    expect((await bo.fetch(url)).status).toBe(200);
    expect((await guest.fetch(url)).status).toBe(404);
  });

  it('is whoever can see a message with its whole address, where that is one of this server', async () => {
    const url = await uploaded(ada);
    const id = await send(ada, `[note](https://elsewhere.example${url})`, [boId]);
    expect((await bo.fetch(url)).status).toBe(404);
    await ada.must('patch', `messages/${id}`, { content: `See ${server.site}${url}` });
    expect((await bo.fetch(url)).status).toBe(200);
    expect((await attachmentAt(ada, url))?.['message_ids']).toEqual([id]);
    const { detached_uploads: detached } = await ada.must('patch', `messages/${id}`, {
      content: 'never mind',
    });
    expect(detached).toHaveLength(1);
  });

  it('is nobody without credentials', async () => {
    const url = await uploaded(ada);
    expect((await fetch(`${server.site}${url}`)).status).toBe(401);
  });

  it('is whoever can see one of the messages: in a private channel, its subscribers', async () => {
    const url = await uploaded(ada);
    await send(ada, `[note](${url})`, 'secret files');
    expect((await bo.fetch(url)).status).toBe(404);
    await send(ada, `[note](${url})`);
    expect((await bo.fetch(url)).status).toBe(200);
  });

  it('does not widen by a message of somebody who cannot see it', async () => {
    const url = await uploaded(ada);
    const id = await send(bo, `I guess [note](${url})`);
    expect((await bo.fetch(url)).status).toBe(404);
    expect((await attachmentAt(ada, url))?.['message_ids']).toEqual([]);
    const { messages } = await bo.must('get', 'messages', {
      message_ids: [id],
      narrow: [{ operator: 'has', operand: 'attachment' }],
    });
    expect(messages).toEqual([]);
  });

  it('ends with the messages that refer to it', async () => {
    const url = await uploaded(ada);
    const id = await send(ada, `[note](${url})`, [boId]);
    await ada.must('patch', `messages/${id}`, { content: 'never mind' });
    expect((await bo.fetch(url)).status).toBe(404);
  });

  it('is, for a minute, whoever holds a link that was made for who may', async () => {
    const url = await uploaded(ada);
    const { url: link } = await ada.must('get', url.slice(1));
    const response = await fetch(`${server.site}${link as string}`);
    expect([response.status, await response.text()]).toEqual([200, text]);
    const forged = (link as string).replace(
      /temporary\/(.)/,
      (_, first) => `temporary/${first === 'A' ? 'B' : 'A'}`,
    );
    expect((await fetch(`${server.site}${forged}`)).status).toBe(404);
    expect((await bo.get(url.slice(1))).status).toBe(404);
  });

  it('has nothing at an address that is only almost right', async () => {
    const url = await uploaded(ada);
    expect((await ada.fetch(url.replace('note-g', 'note-h'))).status).toBe(404);
    expect((await ada.fetch(url.replace('/1/', '/2/'))).status).toBe(404);
  });
});

describe('attachments', () => {
  it('name the messages that refer to them, and the room that all uploads take', async () => {
    const before = (await ada.must('get', 'attachments'))['upload_space_used'] as number;
    const url = await uploaded(ada);
    const id = await send(ada, `[note](${url})`);
    expect(await attachmentAt(ada, url)).toEqual({
      id: expect.any(Number),
      name: 'note g.txt',
      path_id: url.slice('/user_uploads/'.length),
      size: text.length,
      create_time: expect.any(Number),
      message_ids: [id],
    });
    expect((await ada.must('get', 'attachments'))['upload_space_used']).toBe(before + text.length);
    expect((await bo.must('get', 'attachments'))['attachments']).toEqual([]);
  });

  it('are found by has:attachment', async () => {
    const id = await send(ada, `[note](${await uploaded(ada)})`);
    const { messages } = await ada.must('get', 'messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: 'has', operand: 'attachment' }],
    });
    expect((messages as Reply[]).map((message) => message['id'])).toEqual([id]);
  });

  it('that only an edited message referred to are named as detached', async () => {
    const [one, other] = [await uploaded(ada), await uploaded(ada)];
    const id = await send(ada, `[note](${one}) [note](${other})`);
    await send(ada, `[again](${other})`);
    const { detached_uploads: detached } = await ada.must('patch', `messages/${id}`, { content: 'gone' });
    expect(detached).toEqual([await attachmentAt(ada, one)]);
  });

  it('are told to their uploader’s clients as they come, are referred to, and go', async () => {
    const queue = await ClientQueue.register(ada, ['attachment']);
    const url = await uploaded(ada);
    const attachment = (await attachmentAt(ada, url))!;
    const { upload_space_used: space } = await ada.must('get', 'attachments');
    const told = { type: 'attachment', upload_space_used: space as number };
    expect(await queue.next()).toEqual([{ ...told, op: 'add', attachment }]);
    const id = await send(ada, `[note](${url})`);
    expect(await queue.next()).toEqual([
      { ...told, op: 'update', attachment: { ...attachment, message_ids: [id] } },
    ]);
    await ada.must('patch', `messages/${id}`, { content: 'never mind' });
    expect(await queue.next()).toEqual([{ ...told, op: 'update', attachment }]);
    await ada.must('delete', `attachments/${attachment['id'] as number}`);
    expect(await queue.next()).toEqual([
      {
        type: 'attachment',
        op: 'remove',
        attachment: { id: attachment['id'] as number },
        upload_space_used: (space as number) - text.length,
      },
    ]);
  });

  it('are deleted by their uploader alone, with their bytes', async () => {
    const url = await uploaded(ada);
    const { id } = (await attachmentAt(ada, url))!;
    const refused = await bo.delete(`attachments/${id}`);
    expect([refused.status, refused.body.msg]).toEqual([400, 'Invalid attachment']);
    const file = join(server.directory, 'files', ...url.split('/').slice(2, 5));
    expect(await readFile(file)).toBeDefined();
    await ada.must('delete', `attachments/${id}`);
    expect(await attachmentAt(ada, url)).toBeUndefined();
    expect((await ada.fetch(url)).status).toBe(404);
    await eventually(
      () => readFile(file).catch(() => null),
      (bytes) => bytes === null,
    );
    expect((await ada.delete(`attachments/${id}`)).body.msg).toBe('Invalid attachment');
  });
});

/** Lets something use a server of its own whose files lie in a bucket. */
async function withBucket(
  environment: Readonly<Record<string, string>>,
  use: (owner: ApiClient, bucket: S3StandIn) => Promise<void>,
): Promise<void> {
  const bucket = await S3StandIn.start('palimpsest', 'the-key');
  const other = await TestServer.start({
    environment: {
      S3_BUCKET: 'palimpsest',
      S3_ENDPOINT: bucket.endpoint,
      S3_ACCESS_KEY_ID: 'the-key',
      S3_SECRET_ACCESS_KEY: 'the-secret',
      ...environment,
    },
  });
  try {
    await use(await other.owner(), bucket);
  } finally {
    await other.stop();
    await bucket.stop();
  }
}

describe('uploads of a server with a bucket', () => {
  it('lie there, encrypted, and are served from there', () =>
    withBucket({}, async (owner, bucket) => {
      const url = await uploaded(owner);
      const [[name, bytes] = []] = [...bucket.objects];
      expect(url.startsWith(`/user_uploads/${name}/`)).toBe(true);
      expect(bytes?.toString('latin1')).not.toContain('Bernoulli');
      expect(await (await owner.fetch(url, { range: 'bytes=0-5' })).text()).toBe('Note G');
    }));

  it('are refused for now while the bucket cannot be used, and go on afterwards', () =>
    withBucket({}, async (owner, bucket) => {
      const url = await uploaded(owner);
      bucket.isOverloaded = true;
      const file = new File([text], 'note.txt');
      const refused = [await owner.fetch(url), await ImpatientClient.of(owner).upload('user_uploads', file)];
      expect(refused.map(({ status, headers }) => [status, headers.has('retry-after')])).toEqual([
        [503, true],
        [503, true],
      ]);
      bucket.isOverloaded = false;
      expect(await (await owner.fetch(url)).text()).toBe(text);
      await uploaded(owner);
    }));
});

describe('a quota of uploads', () => {
  it('is in the state of clients, and a file beyond it is refused and leaves nothing behind', () =>
    withBucket({ UPLOAD_QUOTA_MIB: '1' }, async (owner, bucket) => {
      const { realm_upload_quota_mib: quota } = await owner.must('post', 'register', {
        fetch_event_types: ['realm'],
      });
      expect(quota).toBe(1);
      await uploaded(owner);
      const refused = await owner.upload('user_uploads', new File([new Uint8Array(1_048_576)], 'large.bin'));
      expect([refused.status, refused.body.code, refused.body.msg]).toEqual([
        400,
        'REALM_UPLOAD_QUOTA',
        "Upload would exceed your organization's upload quota.",
      ]);
      expect(bucket.objects.size).toBe(1);
      const { upload_space_used: used } = await owner.must('get', 'attachments');
      expect(used).toBe(Buffer.byteLength(text));
    }));
});

describe('files that one person sends at once', () => {
  const incoming = async (): Promise<number> =>
    (await readdir(join(server.directory, 'incoming-files'))).length;

  it('have a maximum number, whole or in parts, independently of the files of others', async () => {
    const { max } = budgets.filesReceivedAtOnce;
    const { client: cy } = await server.createUser(await server.owner(), 'Cy');
    const { hostname, port } = new URL(server.site);
    const { email, key } = cy.credentials!;
    const head = [
      'POST /api/v1/user_uploads HTTP/1.1',
      'Host: x',
      `Authorization: Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 100000',
    ].join('\r\n');
    const part = '--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n';
    const sockets = Array.from({ length: max }, () => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.write(`${head}\r\n\r\n${part}${'x'.repeat(10_000)}`);
      return socket;
    });
    await eventually(incoming, (files) => files === max);
    const refused = await cy.upload('user_uploads', new File([text], 'note g.txt'));
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
    const tus = { 'tus-resumable': '1.0.0' };
    const begun = await cy.submitRequest('/api/v1/tus/', {
      method: 'POST',
      headers: { ...tus, 'upload-length': '9' },
    });
    const extended = await cy.submitRequest(begun.headers.get('location')!, {
      method: 'PATCH',
      headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: 'x',
    });
    expect([begun.status, extended.status]).toEqual([201, 429]);
    await uploaded(bo);
    for (const socket of sockets) socket.destroy();
    await eventually(incoming, (files) => files === 0);
    await uploaded(cy);
  });
});
