import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectEventStoreDb } from '../../src/stores/event-store/eventstoredb/event-store-db.js';
import type { EventStore } from '../../src/stores/event-store/port.js';
import { someEvents } from './support/event-store-events.js';

describe('an event store on a server that breaks every connection', () => {
  let server: Server;
  let connections: number;
  let store: EventStore;

  beforeEach(async () => {
    connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connectionString = `esdb://127.0.0.1:${(server.address() as AddressInfo).port}?tls=false`;
    store = connectEventStoreDb({ connectionString, deadline: 8_000 });
  });

  afterEach(async () => {
    await store.close();
    server.close();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an append', () => store.append('stream', 'no-stream', someEvents(1))],
    ['an append under "any"', () => store.append('messages', 'any', someEvents(1))],
    ['a reading', () => store.readStream('stream', { limit: 1 })],
  ])('tries it again and again for %s, and says once what is wrong', async (_, request) => {
    const { message } = await request().then(
      () => new Error('It was taken'),
      (error: unknown) => error as Error,
    );
    expect(message).toMatch(/^EventStoreDB cannot take the request: (?!.*cannot take the request)/);
    expect(connections).toBeGreaterThan(2);
  });
});
