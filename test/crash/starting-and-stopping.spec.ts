import { once } from 'node:events';
import { watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { launchServer, TestServer } from '../support/server.js';
import { newDataDirectory, removeDataDirectory, withStoresOf } from './support/data-directory.js';
import { readWholeLog } from './support/log-faults.js';
import { keptModels, type ModelDigests } from './support/model-comparison.js';
import { beginToSend } from './support/request-in-flight.js';

let directory: string;
let server: TestServer | null = null;

beforeAll(async () => {
  directory = await newDataDirectory();
});

afterAll(async () => {
  await server?.kill();
  await removeDataDirectory(directory);
});

/** Starts a server on the directory of all these tests. It appends nothing by itself, so that the models of two runs can be compared. */
function start(): Promise<TestServer> {
  const environment = { SEAL_EVERY_EVENTS: '1000000', SEAL_EVERY_SECONDS: '1000000' };
  return TestServer.start({ directory, stores: ServerStores.embedded(), environment });
}

/** The server that runs by now: what one test leaves to the next saves a start. */
async function running(): Promise<TestServer> {
  if (server === null) {
    server = await start();
    const owner = await server.owner();
    await owner.post('channels/create', { name: 'engines', subscribers: [] });
  }
  return server;
}

/** Stops the server that runs in order; answers its exit code. */
async function stop(): Promise<number | null> {
  const stopping = await running();
  server = null;
  await stopping.stop();
  return stopping.exitCode;
}

async function send(client: ApiClient, content: string): Promise<number> {
  const message = { type: 'channel', to: 'engines', topic: 'any', content };
  return (await client.must('post', 'messages', message))['id'] as number;
}

async function read(client: ApiClient, id: number): Promise<string> {
  const { message } = await client.must('get', `messages/${id}`, { apply_markdown: false });
  return (message as { content: string }).content;
}

/** Whether a server takes no request any more. */
function refuses(client: ApiClient): Promise<boolean> {
  return client.get('users/me').then(
    () => false,
    () => true,
  );
}

describe('A data directory', () => {
  it('is for one server at a time: a second one says so and leaves the first unharmed', async () => {
    const owner = await (await running()).owner();
    const refusal = await start().then(
      () => 'It started',
      (error: unknown) => (error as Error).message,
    );
    expect(refusal).toContain(`Another server runs on DATA_DIR ${directory}`);
    expect(refusal).not.toContain('    at ');
    expect(await read(owner, await send(owner, 'Still here.'))).toBe('Still here.');
  });

  it('is taken over from a server that was killed, and what is written then can be read at once', async () => {
    const killed = await running();
    const before = await send(await killed.owner(), 'Before.');
    await killed.kill();
    server = null;
    const owner = await (await running()).owner();
    expect(await read(owner, before)).toBe('Before.');
    expect(await read(owner, await send(owner, 'After.'))).toBe('After.');
  });

  it('serves the next start what was acknowledged, though the models were deleted in between', async () => {
    const owner = await (await running()).owner();
    const id = await send(owner, 'Note **G** is ready.');
    await owner.must('patch', `messages/${id}`, { content: 'Note **G** is finished.' });
    expect(await stop()).toBe(0);

    const models = (): Promise<ModelDigests> => withStoresOf(directory, keptModels);
    const before = await models();
    await rm(join(directory, 'models'), { recursive: true });
    const again = await (await running()).owner();
    expect(await read(again, id)).toBe('Note **G** is finished.');
    await stop();
    expect(await models()).toEqual(before);
    // They were opened as by a writer that nobody follows.
    await rm(join(directory, 'models'), { recursive: true });
  });
});

describe('SIGTERM', () => {
  it('lets requests in flight be answered, and what they did is there after a restart', async () => {
    const owner = await (await running()).owner();
    const inFlight = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        beginToSend(owner, { to: 'engines', content: `In flight ${index}.` }),
      ),
    );
    const stopping = stop();
    // Whoever comes now is turned away: so the server has begun to stop.
    await eventually(() => refuses(owner), Boolean);
    const answers = await Promise.all(inFlight.map((request) => request.finish()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await stopping).toBe(0);

    const again = await (await running()).owner();
    const contents = await Promise.all(answers.map(({ body }) => read(again, body['id'] as number)));
    expect(contents).toEqual([0, 1, 2, 3, 4].map((index) => `In flight ${index}.`));
  });
});

/** Starts a server on an empty directory and kills it as soon as so much has changed there, or it is ready. */
async function killAtStart(empty: string, changes: number): Promise<void> {
  let seen = 0;
  const watcher = watch(empty, () => {
    seen += 1;
    if (seen >= changes) child.kill('SIGKILL');
  });
  const child = launchServer(empty, {});
  child.stdout!.on('data', (lines: Buffer) => {
    if (lines.includes('"Ready"')) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  watcher.close();
}

describe('A first start', () => {
  it('that is killed, time and again and ever later, leaves one organization with an owner who can log in', async () => {
    const empty = await newDataDirectory();
    try {
      for (const changes of [1, 6, 12, 24]) await killAtStart(empty, changes);
      const finished = await TestServer.start({ directory: empty, stores: ServerStores.embedded() });
      const owner = await finished.owner();
      const { full_name } = await owner.must('get', 'users/me');
      await finished.stop();
      expect(full_name).toBe('Owner');
      const { events } = await withStoresOf(empty, readWholeLog);
      // Where it was killed before tags were known to begin with the first event, that is noted in the log.
      const types = events.map(({ type }) => type).filter((type) => type !== 'TaggingStarted');
      expect(types).toEqual([
        'OrganizationCreated',
        ...Array.from({ length: 8 }, () => 'UserGroupCreated'),
        ...Array.from({ length: 4 }, () => 'UserRegistered'),
      ]);
    } finally {
      await removeDataDirectory(empty);
    }
  });
});
