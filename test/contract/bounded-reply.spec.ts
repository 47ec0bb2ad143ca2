import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OpenIdProvider } from '../../src/contexts/external-sign-in/open-id-provider.js';
import { PushRelay } from '../../src/contexts/push/push-relay.js';
import { fetchBounded, MAX_REPLY_BYTES } from '../../src/http/bounded-response.js';

/** Sends {@link size} bytes, or bytes without end. */
let service: Server;
let url: string;
let size: number;
let closed: Promise<void>;

beforeAll(async () => {
  service = createServer((_request, response) => {
    closed = new Promise((resolve) => response.once('close', resolve));
    if (size !== Infinity) return response.end('x'.repeat(size));
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});

afterAll(() => {
  service.closeAllConnections();
  service.close();
});

beforeEach(() => {
  size = Infinity;
});

describe('a reply of another service', () => {
  it('is read up to its limit', async () => {
    size = MAX_REPLY_BYTES;
    expect((await (await fetchBounded(url, {})).text()).length).toBe(MAX_REPLY_BYTES);
    size += 1;
    await expect(fetchBounded(url, {})).rejects.toThrow('The reply is too long');
    size = 0;
    expect((await fetchBounded(url, {})).status).toBe(200);
  });

  it('without an end is an error of the push relay, and its connection is closed', async () => {
    const relay = new PushRelay({ url, token: null, organization: () => 'x', onFailure: () => undefined });
    const notification = {
      deviceId: 1,
      tokenKind: 'fcm',
      token: 'x',
      appId: null,
      payload: {},
    } as const;
    await expect(relay.notifyByTokens([notification])).rejects.toThrow('(TypeError)');
    await closed;
  });

  it('without an end is an error of the provider, and its connection is closed', async () => {
    const configuration = {
      issuer: url,
      clientId: 'x',
      clientSecret: null,
      name: 'Endless',
      registering: [],
    };
    const faults: unknown[] = [];
    const logger = { warn: (fault: unknown) => faults.push(fault) };
    const provider = new OpenIdProvider({ configuration, clock: { now: () => 0 }, logger });
    await expect(provider.begin(url)).rejects.toMatchObject({ row: 'externalProviderUnavailable' });
    expect(faults).toEqual([{ fault: { name: 'TypeError', code: null } }]);
    await closed;
  });
});
