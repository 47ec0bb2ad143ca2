import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { probeEventStoreDb } from '../../src/stores/event-store/eventstoredb/probe.js';
import { probeMongo } from '../../src/stores/mongodb/probe.js';
import { waitForStores } from '../../src/node/wait-for-stores.js';
import { RefusingMongo } from '../support/mongodb-stand-in/refusing-server.js';
import { startStandIn } from './support/event-store-fixtures.js';

const certificate = readFileSync('test/fixtures/untrusted-certificate.pem');

describe('Servers that hold stores', () => {
  const servers: Server[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.close();
      await once(server, 'close');
    }
  });

  const listening = async (server: Server): Promise<number> => {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  /** A port that nothing listens on. */
  const closedPort = async (): Promise<number> => {
    const port = await listening(createServer());
    const server = servers.pop()!;
    server.close();
    await once(server, 'close');
    return port;
  };

  it('that are not there are named with the reason', async () => {
    const port = await closedPort();
    const refused = { reason: 'nothing listens there (connection refused)', isPermanent: false };
    expect(await probeEventStoreDb(`esdb://u:secret@127.0.0.1:${port}?tls=false`)).toEqual({
      what: `EventStoreDB at 127.0.0.1:${port}`,
      ...refused,
    });
    expect(await probeMongo(`mongodb://127.0.0.1:${port}/palimpsest`)).toEqual({
      what: `MongoDB at 127.0.0.1:${port}`,
      ...refused,
    });
    expect(await probeEventStoreDb('esdb://no-such-host.invalid?tls=false')).toEqual({
      what: 'EventStoreDB at no-such-host.invalid:2113',
      reason: 'there is no such host',
      isPermanent: false,
    });
  });

  it('of which the address makes no sense are not waited for, and it is not repeated', async () => {
    expect(await probeMongo('mongodb://user:secret@::::')).toEqual({
      what: 'MONGODB_URL',
      reason: 'it is no connection string of MongoDB',
      isPermanent: true,
    });
  });

  it('with an unsigned certificate or without TLS are not waited for', async () => {
    const secure = createSecureServer({ cert: certificate, key: certificate });
    secure.on('tlsClientError', () => undefined);
    const port = await listening(secure);
    expect(await probeEventStoreDb(`esdb://127.0.0.1:${port}?tls=true`)).toMatchObject({
      reason: expect.stringContaining('its certificate is not trusted') as unknown,
      isPermanent: true,
    });
    const standIn = await startStandIn();
    const plain = standIn.server.connectionString.replace('tls=false', 'tls=true');
    expect(await probeEventStoreDb(plain)).toMatchObject({
      what: expect.stringContaining('EventStoreDB at 127.0.0.1:') as unknown,
    });
    await standIn.close();
  });

  it.each([
    [status.UNAUTHENTICATED, 'the name or the password of the user is wrong'],
    [status.PERMISSION_DENIED, 'its user may not read $all'],
  ])('that refuse with %i say what is missing', async (code, reason) => {
    const standIn = await startStandIn();
    standIn.server.refuseReads(code);
    const { connectionString } = standIn.server;
    expect(await probeEventStoreDb(connectionString)).toMatchObject({
      reason: expect.stringContaining(reason) as unknown,
      isPermanent: true,
    });
    const servers = { eventStoreUrl: connectionString, mongodbUrl: null, storesTimeoutSeconds: 60 };
    await expect(waitForStores(servers, () => undefined)).rejects.toThrow(reason);
    standIn.server.refuseReads(null);
    expect(await probeEventStoreDb(connectionString)).toBeNull();
    await standIn.close();
  });

  it.each([
    [{ command: 'saslStart', code: 18 }, 'the name or the password of the user is wrong'],
    [{ command: 'find', code: 13 }, 'its user may not read the database looms'],
    [{ wireVersion: 8, command: '', code: 0 }, 'this program does not speak with its version (Server at '],
  ])(
    'of MongoDB that refuse with %p say what is missing, and are not waited for',
    async (refusal, reason) => {
      const mongo = await RefusingMongo.start(refusal);
      const address = `127.0.0.1:${mongo.port}`;
      // Who does not log in cannot be refused for that.
      const user = refusal.command === 'saslStart' ? 'palimpsest:secret@' : '';
      const problem = await probeMongo(`mongodb://${user}${address}/looms`);
      await mongo.stop();
      expect(problem).toEqual({
        what: `MongoDB at ${address}`,
        reason: expect.stringContaining(reason) as unknown,
        isPermanent: true,
      });
      expect(JSON.stringify(problem)).not.toContain('secret');
    },
  );

  it('are waited for while they start, which is said', async () => {
    const standIn = await startStandIn();
    await standIn.server.stop();
    const said: string[] = [];
    const back = new Promise<void>((resolve) => {
      const say = (sentence: string): void => {
        said.push(sentence);
        void standIn.server.restart().then(resolve);
      };
      const servers = {
        eventStoreUrl: standIn.server.connectionString,
        mongodbUrl: null,
        storesTimeoutSeconds: 60,
      };
      said.push('begins');
      void waitForStores(servers, say).then(() => said.push('is there'));
    });
    await back;
    while (said.at(-1) !== 'is there') await new Promise((resolve) => setImmediate(resolve));
    expect(said).toEqual([
      'begins',
      expect.stringMatching(/^Waiting for EventStoreDB at 127\.0\.0\.1:\d+: nothing listens there/),
      'is there',
    ]);
    await standIn.close();
  });

  it('are not waited for any longer than was asked', async () => {
    const port = await closedPort();
    const servers = {
      eventStoreUrl: `esdb://127.0.0.1:${port}?tls=false`,
      mongodbUrl: null,
      storesTimeoutSeconds: 0,
    };
    await expect(waitForStores(servers, () => undefined)).rejects.toThrow(
      `EventStoreDB at 127.0.0.1:${port}: nothing listens there (connection refused)`,
    );
  });
});
