import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EventStoreDbProcess } from '../support/eventstoredb-stand-in/process.js';
import { asHere, blocksOf, runCommands } from '../support/guides.js';
import { dropDatabase, newDatabaseUrl } from '../support/mongodb-database.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let folder: string;
let data: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-guides-'));
  data = join(folder, 'data');
  server = await TestServer.start({ directory: data, stores: ServerStores.embedded() });
  const owner = await server.owner();
  await owner.must('post', 'users/me/subscriptions', { subscriptions: '[{"name": "engines"}]' });
  await owner.must('post', 'messages', { type: 'channel', to: 'engines', topic: 'notes', content: 'Ready.' });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

it('docs/deploy.md, "From embedded stores to servers, and back"', async () => {
  const there = folder;
  const mongodb = process.env['MONGODB_URL'] === undefined ? '' : newDatabaseUrl();
  const log = await EventStoreDbProcess.start();
  try {
    // Without a MongoDB, read models and keys go into the folder, by the same commands.
    const blocks = (await blocksOf('docs/deploy.md')).filter(({ heading }) =>
      heading.startsWith('From embedded'),
    );
    const commands = asHere(blocks.map(({ text }) => text).join(''), { data, there })
      .replaceAll('esdb://…', log.url)
      .replaceAll('mongodb://…', mongodb);
    expect(commands).not.toContain('…');
    await runCommands(commands, { folder: there, environment: { DATA_DIR: data } });
    const logs = [
      { DATA_DIR: 'palimpsest-servers', EVENTSTORE_URL: log.url, MONGODB_URL: mongodb },
      { DATA_DIR: 'palimpsest-embedded' },
    ] as const;
    const roots: string[] = [];
    for (const environment of logs) {
      const verified = await runCommands('palimpsest audit verify', { folder: there, environment });
      expect(verified).toContain('Nothing is amiss.');
      roots.push(/root (\w+)/.exec(verified)![1]!);
    }
    expect(roots[1]).toBe(roots[0]);
  } finally {
    await log.end('SIGTERM');
    await log.remove();
    if (mongodb !== '') await dropDatabase(mongodb);
  }
});
