import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, type Answer } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';
import { CommandLine } from '../support/command-line.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let folder: string;
let stores: ServerStores;
let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let ada: ApiClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-closed-'));
  stores = await ServerStores.open();
  tool = new CommandLine({ DATA_DIR: folder, ...stores.environment });
  server = await TestServer.start({ directory: folder, stores });
  owner = await server.owner();
  ({ client: ada } = await server.createUser(owner, 'Ada'));
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(folder, { recursive: true, force: true });
});

const refusal = ({ status, body }: Answer): readonly unknown[] => [status, body.code];

/** What somebody without a key is told who logs in. */
function logIn(): Promise<Answer> {
  const credentials = { username: 'ada@example.com', password: 'secret-of-Ada' };
  return new ApiClient(server.site, null).post('fetch_api_key', credentials);
}

// Each goes on with what the one before left behind.
describe('an organization', () => {
  it('is deactivated by owners alone, with a delay that the server allows', async () => {
    expect(refusal(await ada.post('realm/deactivate'))).toEqual([400, 'UNAUTHORIZED_PRINCIPAL']);
    for (const deletion_delay_days of [13, 0, -1, 'soon']) {
      expect((await owner.post('realm/deactivate', { deletion_delay_days })).status).toBe(400);
    }
    await ada.must('get', 'users/me');
  });

  it('lets nobody in once it is, and tells clients that are connected', async () => {
    const queue = await ClientQueue.register(ada, ['realm']);
    const told = queue.next();
    await owner.must('post', 'realm/deactivate', { deletion_delay_days: 14 });
    expect(await told).toEqual([{ type: 'realm', op: 'deactivated', realm_id: 1 }]);
    for (const client of [owner, ada]) {
      expect(refusal(await client.get('users/me'))).toEqual([401, 'UNAUTHORIZED']);
      expect(refusal(await client.post('realm/deactivate'))).toEqual([401, 'UNAUTHORIZED']);
    }
    expect(refusal(await logIn())).toEqual([401, 'REALM_DEACTIVATED']);
    const anonymous = new ApiClient(server.site, null);
    expect((await anonymous.get('server_settings')).status).toBe(200);
    const reset = await anonymous.post('accounts/password/reset', { email: 'ada@example.com' });
    expect(refusal(reset)).toEqual([401, 'REALM_DEACTIVATED']);
  });

  it('stays so after a restart', async () => {
    await server.kill();
    server = await TestServer.start({ directory: folder, stores });
    [owner, ada] = [owner, ada].map((client) => new ApiClient(server.site, client.credentials)) as [
      ApiClient,
      ApiClient,
    ];
    expect(refusal(await ada.get('users/me'))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('is made active again by an operator, with everyone as they were', async () => {
    expect(await tool.must('owner', 'reactivate-organization')).toContain('active again');
    expect(await tool.must('owner', 'reactivate-organization')).toContain('is active.');
    await ada.must('get', 'users/me');
    expect((await logIn()).status).toBe(200);
    const { events } = await owner.must('get', 'audit/log', { stream: 'organization' });
    expect(JSON.stringify(events)).toContain('to be deleted after 14 days');
  });
});
