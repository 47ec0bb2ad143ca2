import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OpenNetworks } from '../../src/contexts/outgoing-webhooks/networks.js';
import { WebhookClient } from '../../src/contexts/outgoing-webhooks/webhook-client.js';
import { budgets } from '../../src/kernel/budgets.js';

/** A service on this machine. */
let service: Server;
let port: number;
let answer: RequestListener;
/** Paths of the requests that reached it. */
const reached: string[] = [];

beforeAll(async () => {
  service = createServer((request, response) => {
    reached.push(request.url ?? '');
    answer(request, response);
  });
  service.listen(0);
  await once(service, 'listening');
  ({ port } = service.address() as AddressInfo);
});

afterAll(() => {
  service.closeAllConnections();
  service.close();
});

beforeEach(() => {
  reached.length = 0;
  answer = (_request, response) => response.end('{}');
});

const never = new AbortController().signal;

/** A client that may reach the service. Its timeout is longer than any test may take. */
function local(): WebhookClient {
  return new WebhookClient(new OpenNetworks(['127.0.0.1']), 600_000);
}

function post(client: WebhookClient, url: string): ReturnType<WebhookClient['post']> {
  return client.post({ url, headers: {}, body: '' }, never);
}

describe('a request of a bot', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '0',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[fd00::1]',
    '[fe80::1]',
    '10.0.0.1',
    '169.254.169.254',
    'localhost',
    'LocalHost',
    'me:word@127.0.0.1',
  ])('does not go to %s', async (host) => {
    const outcome = await post(new WebhookClient(new OpenNetworks([])), `http://${host}:${port}/`);
    expect(outcome).toEqual({ kind: 'refused', reason: 'the address is in a private network' });
    expect(reached).toEqual([]);
  });

  it('goes to the address that was checked, though the name has another one the next time', async () => {
    const networks = new OpenNetworks(['127.0.0.1']);
    const { lookup } = networks;
    const asked: string[] = [];
    const changing: LookupFunction = (name, options, done) => {
      asked.push(name);
      lookup(asked.length === 1 ? '127.0.0.1' : '10.0.0.1', options, done);
    };
    const client = new WebhookClient(Object.assign(networks, { lookup: changing }));
    expect(await post(client, `http://changing.example:${port}/`)).toMatchObject({ status: 200 });
    expect(asked).toEqual(['changing.example']);
    expect(await post(client, `http://changing.example:${port}/`)).toMatchObject({ kind: 'refused' });
    expect(reached).toHaveLength(1);
  });

  it('is not redirected', async () => {
    answer = (_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
    const outcome = await post(
      new WebhookClient(new OpenNetworks(['127.0.0.1'])),
      `http://127.0.0.1:${port}/`,
    );
    expect(outcome).toMatchObject({ kind: 'answered', status: 307 });
    expect(reached).toEqual(['/']);
  });

  it('ends an endless response, and its connection', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        response.once('close', resolve);
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(budgets.outgoingWebhookAnswer.max)));
        };
        response.on('drain', more);
        more();
      };
    });
    const outcome = await post(
      new WebhookClient(new OpenNetworks(['127.0.0.1'])),
      `http://127.0.0.1:${port}/`,
    );
    expect(outcome).toEqual({ kind: 'refused', reason: 'the answer is too long' });
    await closed;
  });

  it.each([
    ['before its headers', ''],
    ['within its headers', 'HTTP/1.1 200 OK\r\nA: '],
    ['within its body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'],
    ['after an interim response', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('ends a response that stops %s, and its connection', async (_when, text) => {
    const closed = new Promise<void>((resolve) => {
      answer = ({ socket }) => {
        socket.once('close', () => resolve());
        socket.write(text);
      };
    });
    const client = new WebhookClient(new OpenNetworks(['127.0.0.1']), 100);
    // On a busy machine the time may be over before the request is there.
    do expect(await post(client, `http://127.0.0.1:${port}/`)).toEqual({ kind: 'unanswered' });
    while (reached.length === 0);
    await closed;
  });

  it('ends a response that changes the protocol, and its connection', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = ({ socket }) => {
        socket.once('close', () => resolve());
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
      };
    });
    const outcome = await post(local(), `http://127.0.0.1:${port}/`);
    expect(outcome).toEqual({ kind: 'answered', status: 101, body: '' });
    await closed;
  });

  it('ends informational responses that do not end, and their connection', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = ({ socket }) => {
        socket.once('close', () => resolve());
        socket.on('error', () => undefined);
        const more = (): void => {
          while (!socket.destroyed && socket.write('HTTP/1.1 102 Processing\r\n\r\n'));
        };
        socket.on('drain', more);
        more();
      };
    });
    expect(await post(local(), `http://127.0.0.1:${port}/`)).toEqual({ kind: 'unanswered' });
    await closed;
  });

  it('is taken after a few informational responses', async () => {
    answer = (_request, response) => {
      for (let count = 0; count < 3; count += 1) response.writeProcessing();
      response.end('{}');
    };
    expect(await post(local(), `http://127.0.0.1:${port}/`)).toMatchObject({ status: 200, body: '{}' });
  });
});
