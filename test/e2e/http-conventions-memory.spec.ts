import { afterEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { budgets } from '../../src/kernel/budgets.js';
import type { Caller } from '../../src/http/caller.js';
import { replyWithFile } from '../../src/http/file-reply.js';
import { receiveFile } from '../../src/http/server/received-file.js';
import { receiveImage } from '../../src/http/server/received-image.js';
import { eventually } from '../support/eventually.js';
import { standIn } from '../support/stand-in.js';
import { CREDENTIALS, startToyServer, type ToyServer } from './http-toy/server.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MEBIBYTE = 1_048_576;
const LONG = 16 * MEBIBYTE;

let server: ToyServer;
/** Lets the handlers of `/late` reply. */
let letGo: () => void;
/** How many of them have. */
let late: number;
/** The files that `/stored` opened. */
let opened: Readable[];
/** The last request. */
let last: WeakRef<FastifyRequest>;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

async function start(): Promise<void> {
  const long = Buffer.alloc(LONG, 'x');
  const released = new Promise<void>((resolve) => (letGo = resolve));
  late = 0;
  opened = [];
  server = await startToyServer({ TRUSTED_PROXIES: '127.0.0.1' }, (application) => {
    const fastify: FastifyInstance = application.getHttpAdapter().getInstance();
    fastify.addHook('onRequest', (request, _reply, done) => {
      last = new WeakRef(request);
      done();
    });
    fastify.get('/long', (_request, reply: FastifyReply) =>
      reply.header('cache-control', 'public').send(long),
    );
    fastify.get('/late', async () => {
      await released;
      late += 1;
      return long;
    });
    fastify.get('/stored', async (request, reply: FastifyReply) => {
      const account = Number(request.headers['x-account']);
      if (account > 0) request.state.caller = standIn<Caller>({ userId: account });
      await replyWithFile(reply, {
        fileName: 'a.bin',
        contentType: 'application/octet-stream',
        size: LONG,
        isDownload: false,
        cacheControl: null,
        open: () => {
          const content = Readable.from(chunks());
          opened.push(content);
          return Promise.resolve(content);
        },
      });
    });
    fastify.post('/form', () => Promise.resolve('received'));
    fastify.post('/image', { config: { acceptsFiles: true } }, async (request) => {
      await receiveImage(request);
      return 'an image';
    });
    fastify.post('/file', { config: { acceptsFiles: true } }, async (request) => {
      const keep = async (stream: AsyncIterable<Buffer>): Promise<number> => {
        let size = 0;
        for await (const { length } of stream) size += length;
        return size;
      };
      return (await receiveFile(request, { maxMebibytes: 10, keep, discard: async () => {} })).content;
    });
  });
}

/** 16 MiB, as they come from a file. */
async function* chunks(): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < LONG; sent += 65_536) yield await Promise.resolve(Buffer.alloc(65_536, 'x'));
}

/** Opens a connection from an address of this machine and sends a text. */
function send(sent: string, from = '127.0.0.1'): Socket {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  sockets.push(socket);
  socket.write(sent);
  return socket;
}

/** A request for a long reply; `person` is the address that a proxy reports. */
function longFor(person: string, path = '/long'): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${person}\r\nConnection: close\r\n\r\n`;
}

/** The beginning of a request with a body that never ends. */
function unfinished(path: string, type: string, bytes: number): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${CREDENTIALS}`;
  return `${head}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes + 1}\r\n\r\n`;
}

function connections(): Promise<number> {
  const http = server.application.getHttpServer();
  return new Promise((resolve) =>
    http.getConnections((_error: Error | null, count: number) => resolve(count)),
  );
}

/** How many of them the server has replied to, or closed. */
function endedOf(some: readonly Socket[]): number {
  return some.filter((socket) => socket.bytesRead > 0 || socket.destroyed || socket.readableEnded).length;
}

async function received(socket: Socket, bytes: number): Promise<void> {
  await eventually(
    () => Promise.resolve(socket.bytesRead),
    (read) => read >= bytes,
  );
}

describe('Replies that are not read', () => {
  const ofAccount = budgets.unreadReplyBytesOfAccount.max;
  const ofAll = budgets.unreadReplyBytes.max;

  /** Requests long replies and reads only the beginning of each. */
  async function hoard(person: string, replies: number): Promise<Socket[]> {
    const some = Array.from({ length: replies }, () => send(longFor(person)));
    for (const socket of some) {
      await once(socket, 'readable');
    }
    return some;
  }

  it('have a maximum size for one recipient, beyond which long replies are refused', async () => {
    await start();
    const some = await hoard('10.0.0.1', ofAccount / LONG);
    const refused = await text(send(longFor('10.0.0.1')));
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused).toMatch(/\r\ncache-control: max-age=0, no-cache/);
    expect(refused).toMatch(/\r\nretry-after: 1\r\n/);
    expect(refused).toMatch(/"code":"RATE_LIMIT_HIT"/);
    // A short reply is sent, and so are those of others.
    expect((await server.call('/caller')).status).toBe(200);
    expect((await text(send(longFor('10.0.0.2')))).length).toBeGreaterThan(LONG);
    // One that has been read makes room, and so does a connection that closes.
    await text(some[0]!);
    expect(await text(send(longFor('10.0.0.1')))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('are not counted for clients that were gone before', async () => {
    await start();
    const count = 2 * (ofAccount / LONG);
    const some = Array.from({ length: count }, () => send(longFor('10.0.0.1', '/late')));
    await eventually(connections, (open) => open === count);
    for (const socket of some) socket.destroy();
    await eventually(connections, (open) => open === 0);
    letGo();
    await eventually(
      () => Promise.resolve(late),
      (replied) => replied === count,
    );
    expect((await server.call('/caller')).status).toBe(200);
    expect(await text(send(longFor('10.0.0.1')))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('have a maximum size for an IPv6 network, whichever of its addresses sends the request', async () => {
    await start();
    for (let host = 1; host <= ofAccount / LONG; host += 1) await hoard(`2001:db8::${host}`, 1);
    expect(await text(send(longFor('2001:db8::99')))).toMatch(/^HTTP\/1\.1 429 /);
    expect(await text(send(longFor('2001:db8:0:1::1')))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('have a maximum size for all: beyond it, the recipient with the most loses the oldest connection', async () => {
    await start();
    const most = await hoard('10.0.0.1', 3);
    const others: Socket[] = [];
    while ((3 + others.length) * LONG < ofAll) others.push(...(await hoard(`10.0.1.${others.length}`, 1)));
    const closed = once(most[0]!.resume(), 'close');
    await hoard('10.0.2.1', 1);
    await closed;
    expect(most[0]!.bytesRead).toBeLessThan(LONG);
    expect([...most.slice(1), ...others].filter(({ destroyed }) => destroyed)).toEqual([]);
  });
});

describe('Files that are being sent', () => {
  const fileFor = (account: number, method = 'GET'): string =>
    `${method} /stored HTTP/1.1\r\nHost: x\r\nX-Account: ${account}\r\nConnection: close\r\n\r\n`;

  function openNow(): Promise<number> {
    return Promise.resolve(opened.filter(({ closed }) => !closed).length);
  }

  it.each([
    ['account', budgets.openFilesOfAccount.max, (path: number) => fileFor(path)],
    ['network', budgets.openFilesOfNetwork.max, (host: number) => longFor(`10.0.0.${host}`, '/stored')],
  ])('are limited for each %s, until they are read or their clients go', async (_of, max, requestOf) => {
    await start();
    const some = Array.from({ length: max }, () => send(requestOf(1)));
    for (const socket of some) await once(socket, 'readable');
    const refused = await text(send(requestOf(1)));
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused).toMatch(/\r\nretry-after: 1\r\n/);
    expect(opened).toHaveLength(max);
    expect((await text(send(requestOf(2)))).length).toBeGreaterThan(LONG);
    await text(some[0]!);
    some[1]!.destroy();
    await eventually(openNow, (count) => count === max - 2);
    expect(await text(send(requestOf(1)))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('are closed with the connection also where an earlier reply is not read', async () => {
    await start();
    const socket = send(fileFor(1).replace('close', 'keep-alive').repeat(3));
    await once(socket, 'readable');
    await eventually(openNow, (count) => count === 3);
    socket.destroy();
    await eventually(openNow, (count) => count === 0);
    expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it('are not opened for HEAD, which has the same headers', async () => {
    await start();
    const headersOf = (reply: string): string[] =>
      reply
        .slice(0, reply.indexOf('\r\n\r\n'))
        .split('\r\n')
        .filter((line) => !/^(date|x-request-id):/i.test(line));
    for (const range of ['', 'Range: bytes=1-5\r\n', `Range: bytes=${LONG}-\r\n`]) {
      const withRange = (method: string) => fileFor(1, method).replace('Connection', `${range}Connection`);
      const [got, asked] = [await text(send(withRange('GET'))), opened.length];
      const head = await text(send(withRange('HEAD')));
      expect(headersOf(head)).toEqual(headersOf(got));
      expect(head).toMatch(/\r\n\r\n$/);
      expect(opened).toHaveLength(asked);
    }
  });
});

describe('Requests sent without waiting for the replies', () => {
  it('have a maximum number on one connection', async () => {
    await start();
    const { max } = budgets.pipelinedRequests;
    const request = 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n';
    const replies = await text(send(request.repeat(max + 100)));
    expect(replies.match(/HTTP\/1\.1 \d+/g)).toEqual([
      ...Array<string>(max).fill('HTTP/1.1 404'),
      'HTTP/1.1 503',
    ]);
    expect(server.log.filter(({ msg }) => msg === 'request')).toHaveLength(max + 1);
    expect(server.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });

  it('are counted also when they are refused at once', async () => {
    await start();
    const { max } = budgets.pipelinedRequests;
    const replies = await text(send('GET /% HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(max + 100)));
    expect(replies.match(/HTTP\/1\.1 \d+/g)).toEqual(Array<string>(max + 1).fill('HTTP/1.1 400'));
    expect(replies.match(/\r\nconnection: close\r\n/gi)).toHaveLength(1);
  });

  it('are counted only while they have no reply', async () => {
    await start();
    const request = 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n';
    const socket = send(request);
    let replies = 0;
    socket.on('data', () => {
      replies += 1;
      if (replies <= 2 * budgets.pipelinedRequests.max) socket.write(request);
      else socket.end();
    });
    await once(socket, 'close');
    expect(replies).toBeGreaterThan(2 * budgets.pipelinedRequests.max);
  });
});

describe('Requests that are answered', () => {
  it('are not kept in memory by their connection, which stays open', async () => {
    await start();
    const body = `content=${'x'.repeat(100_000)}`;
    const type = 'application/x-www-form-urlencoded';
    const head = `POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = send(head + body);
    await received(socket, 1);
    await eventually(
      () => {
        collectGarbage();
        return Promise.resolve(last.deref() === undefined);
      },
      (isForgotten) => isForgotten,
    );
    expect(socket.destroyed).toBe(false);
    expect(await connections()).toBe(1);
  });
});

describe('Requests that are not received completely', () => {
  const { max } = budgets.unfinishedRequestBytes;

  it('have a maximum size of their bodies: beyond it, the sender with the most loses the oldest request', async () => {
    await start();
    const form = 'application/x-www-form-urlencoded';
    const other = send(unfinished('/api/v1/things', form, 9) + 'content=', '127.0.0.2');
    const body = 'content='.padEnd(1_000_000, 'x');
    const some: Socket[] = [];
    while (some.length * body.length < max + 3 * body.length) {
      some.push(send(unfinished('/api/v1/things', form, body.length) + body));
    }
    await eventually(
      () => Promise.resolve(endedOf(some)),
      (ended) => ended >= 3,
    );
    expect(await text(some[0]!)).toMatch(
      /^HTTP\/1\.1 503 [\s\S]*\r\nconnection: close\r\n[\s\S]*"result":"error"/i,
    );
    expect(endedOf(some.slice(-60))).toBe(0);
    other.write('xx');
    await received(other, 1);
    expect(String(other.read())).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('have a maximum size of bodies that are not files, also at endpoints for files', async () => {
    await start();
    const some: Socket[] = [];
    while (some.length * MEBIBYTE < max + 4 * MEBIBYTE) {
      some.push(send(unfinished('/file', 'text/plain', 1_000_000) + 'x'.repeat(1_000_000)));
    }
    await eventually(
      () => Promise.resolve(endedOf(some)),
      (ended) => ended >= 1,
    );
    expect(await text(some[0]!)).toMatch(/^HTTP\/1\.1 503 /);
  });

  it('have a maximum size behind a waiting request: beyond it, the connection closes without a reply', async () => {
    await start();
    const form = 'application/x-www-form-urlencoded';
    const body = 'content='.padEnd(1_000_000, 'x');
    const waiting = 'GET /late HTTP/1.1\r\nHost: x\r\n\r\n';
    const some: Socket[] = [];
    while (some.length * body.length < max + 10 * body.length) {
      const sent = waiting + unfinished('/api/v1/things', form, body.length) + body;
      some.push(send(sent).resume());
    }
    await eventually(
      () => Promise.resolve(endedOf(some)),
      (ended) => ended >= 1,
    );
    expect(some[0]!.destroyed).toBe(true);
    expect(some.map(({ bytesRead }) => bytesRead)).toEqual(some.map(() => 0));
    expect(endedOf(some.slice(-50))).toBe(0);
    letGo();
  });

  it('have a maximum size of their headers', async () => {
    await start();
    const head = `GET /nowhere HTTP/1.1\r\nHost: x\r\n${`X-A: ${'y'.repeat(90)}\r\n`.repeat(1_200)}`;
    const other = send('GET /nowhere HTTP/1.1\r\nHost: x\r\n', '127.0.0.2');
    const some: Socket[] = [];
    while (some.length * head.length < max + 3 * head.length) some.push(send(head));
    await eventually(
      () => Promise.resolve(endedOf(some)),
      (ended) => ended >= 3,
    );
    expect(await text(some[0]!)).toMatch(/^HTTP\/1\.1 503 [\s\S]*"result":"error"/);
    expect(endedOf(some.slice(-100))).toBe(0);
    other.write('\r\n');
    await received(other, 1);
    expect(String(other.read())).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('have a maximum size of images, which are kept in memory, but not of other files', async () => {
    await start();
    const type = 'multipart/form-data; boundary=b';
    const part = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\n'.padEnd(
      4_000_000,
      'x',
    );
    const files = Array.from({ length: 20 }, () => send(unfinished('/file', type, part.length) + part));
    const images = Array.from({ length: 20 }, () => send(unfinished('/image', type, part.length) + part));
    await eventually(
      () => Promise.resolve(endedOf(images)),
      (ended) => ended >= 20 - Math.floor(max / part.length),
    );
    expect(endedOf(files)).toBe(0);
  });

  it('are no failure of the server', async () => {
    await start();
    const form = 'application/x-www-form-urlencoded';
    const socket = send(unfinished('/api/v1/things', form, 9) + 'content=');
    await eventually(connections, (count) => count === 1);
    socket.destroy();
    await eventually(connections, (count) => count === 0);
    expect(server.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});

it('The fields beside a file are bounded together', async () => {
  await start();
  const field = `--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n${'x'.repeat(600_000)}\r\n`;
  const file = '--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nxx\r\n';
  const post = (body: string): Promise<Response> =>
    fetch(`${server.origin}/file`, {
      method: 'POST',
      body: `${body}--b--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
  expect((await post(field + file)).status).toBe(200);
  expect((await post(field + field + file)).status).toBe(413);
});
