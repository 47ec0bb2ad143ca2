import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { ServerHeartbeatFailedEvent, ServerHeartbeatStartedEvent } from 'mongodb';
import { STUCK_AFTER, WatchedMongoClient } from '../../src/stores/mongodb/watched-client.js';
import { standIn } from '../support/stand-in.js';

const server = '127.0.0.1:27017';

let client: WatchedMongoClient;
let connect: jest.SpiedFunction<WatchedMongoClient['connect']>;

beforeEach(() => {
  jest.useFakeTimers();
  client = new WatchedMongoClient(`mongodb://${server}/palimpsest`);
  connect = jest.spyOn(client, 'connect').mockResolvedValue(client);
});

afterEach(async () => {
  await client.close();
  jest.useRealTimers();
});

const started = (awaited = false): boolean =>
  client.emit(
    'serverHeartbeatStarted',
    standIn<ServerHeartbeatStartedEvent>({ connectionId: server, awaited }),
  );

it('a client whose check of its server does not end reconnects until it is connected', async () => {
  connect.mockRejectedValueOnce(new Error('Nothing listens there'));
  started();
  await jest.advanceTimersByTimeAsync(STUCK_AFTER - 1);
  expect(connect).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(connect).toHaveBeenCalledTimes(2);
});

it('a client whose checks end, or that the server notifies itself, stays connected', async () => {
  started();
  client.emit('serverHeartbeatFailed', standIn<ServerHeartbeatFailedEvent>({ connectionId: server }));
  started(true);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(connect).not.toHaveBeenCalled();
});

it('one that was closed stays closed', async () => {
  started();
  await client.close();
  started();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(connect).not.toHaveBeenCalled();
});
