import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { forgeEvent, type ForgedPlace } from '../support/forged-event.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let folder: string;
let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let ada: { readonly id: number; readonly client: ApiClient };
let forged: ForgedPlace;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-forged-'));
  server = await TestServer.start({ directory: folder, stores: ServerStores.embedded() });
  tool = new CommandLine({ DATA_DIR: folder });
  owner = await server.owner();
  ada = await server.createUser(owner, 'Ada');
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('an event that somebody wrote into the log without the server’s key', () => {
  it('is not acted on, and stops the models that it is for, with its place', async () => {
    forged = forgeEvent(folder, {
      stream: 'users',
      type: 'UserRoleChanged',
      data: { userId: ada.id, role: 100 },
      actorId: 10,
    });
    const status = await eventually(
      () => tool.run('projections', 'status', '--json'),
      // Something is amiss, and says so.
      ({ code, stdout }) =>
        code === 3 &&
        stdout.includes(`"stream":"users","position":${forged.position}`) &&
        stdout.includes('"projection":"directory","state":"halted"'),
    );
    expect(status.stdout).toMatch(/"projection":"directory","state":"halted"/);
    const why = `users@${forged.revision} at position ${forged.position} does not carry this server’s tag`;
    await eventually(
      () => Promise.resolve(server.log.join('\n')),
      (lines) => lines.includes(why),
    );
    // Only owners may do this: she is none.
    const refused = await ada.client.get('audit/log');
    expect(refused.status).not.toBe(200);
  });

  it('is named by an audit, and so is that the log does not end where its writer left it', async () => {
    const { code, stdout } = await tool.run('audit', 'verify');
    expect(code).toBe(3);
    expect(stdout).toContain(
      `TAG  position ${forged.position}, users@${forged.revision}: it does not carry this server’s tag`,
    );
    expect(stdout).toContain('RECORD  the log ends at position');
  });

  it('is shown in its place, and named as what cannot be read', async () => {
    const { code, stdout } = await tool.run('audit', 'log', '--type', 'UserRoleChanged');
    expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining('(unreadable)') });
  });
});
