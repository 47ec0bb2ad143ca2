import { afterAll, beforeAll } from '@jest/globals';
import type { ApiClient } from './api-client.js';
import { TestServer } from './server.js';

/** One server for all tests of the importing file, started before the first and stopped after the last. */
export let server: TestServer;
/** The owner of the organization, and two members. */
export let owner: ApiClient;
export let ada: ApiClient;
export let adaId: number;
export let bo: ApiClient;
export let boId: number;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  ({ client: bo, id: boId } = await server.createUser(owner, 'Bo'));
});

afterAll(async () => {
  await server.stop();
});
