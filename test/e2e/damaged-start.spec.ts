import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import { ChannelCreated } from '../../src/events/channels.js';
import { CommandLine, type JsonLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';
import { beginLog, openStoppedServer } from '../support/stopped-server.js';

let directory: string;
let tool: CommandLine;

/** A log whose read models are yet to be built, with an event that everything about channels needs, and that is damaged. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-damaged-start-'));
  tool = new CommandLine({ DATA_DIR: directory });
  await beginLog(directory, ServerStores.embedded());
  const stores = await openStoppedServer(directory, {});
  const metadata = { actorId: 3, commandId: randomUUID(), causationId: null, client: 'test', at: 1e12 };
  const created = { type: ChannelCreated.type, data: ChannelCreated.example };
  await stores.vault.checkServerKey({ requireExisting: false });
  await stores.log.append({ stream: 'channels', expected: 'no-stream' }, [created], metadata);
  await stores.close();
  const events = new Database(join(directory, 'events.sqlite'));
  events.exec(`UPDATE events SET data = substr(data, 2) WHERE type = 'ChannelCreated'`);
  events.close();
});

afterAll(() => rm(directory, { recursive: true, force: true }));

function lettersNow(): Promise<readonly JsonLine[]> {
  return tool.json('projections', 'dead-letters', 'list');
}

describe('a start at an event that is damaged', () => {
  it('can be looked at, and goes on once the event is discarded', async () => {
    const starting = TestServer.start({ directory, stores: ServerStores.embedded() });
    // A tool that finds no server would work on the files itself, and keep the server out.
    await eventually(() => Promise.resolve(existsSync(join(directory, 'control.sock'))), Boolean);
    const waiting = await eventually(lettersNow, (letters) =>
      letters.some(({ projection }) => projection === 'directory'),
    );
    expect(waiting).toContainEqual(
      expect.objectContaining({ state: 'waiting', reason: expect.stringContaining('it is damaged') }),
    );
    const { code, stderr } = await tool.run('owner', 'reset-key');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('still starting') });
    const stillWaiting = async (): Promise<readonly JsonLine[]> =>
      (await lettersNow()).filter(({ state }) => state === 'waiting');
    const discardAll = async (): Promise<readonly JsonLine[]> => {
      for (const { projection } of await stillWaiting())
        await tool.run('projections', 'dead-letters', 'discard', projection as string, '--yes');
      return stillWaiting();
    };
    await eventually(discardAll, (left) => left.length === 0);
    const server = await starting;
    const owner = await server.owner();
    expect((await owner.must('get', 'users/me'))['user_id']).toBe(3);
    await server.stop();
  });
});
