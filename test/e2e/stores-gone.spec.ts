import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../support/command-line.js';
import { EventStoreDbProcess } from '../support/eventstoredb-stand-in/process.js';
import { TestServer } from '../support/server.js';

describe('Tools beside an EventStoreDB that is gone', () => {
  let log: EventStoreDbProcess;
  let server: TestServer;
  let gone: string;

  beforeAll(async () => {
    log = await EventStoreDbProcess.start();
    const stores = { environment: { EVENTSTORE_URL: log.url }, close: () => Promise.resolve() };
    server = await TestServer.start({ stores });
    gone = `EventStoreDB at ${new URL(log.url).host}: nothing listens there (connection refused)`;
    await log.end('SIGKILL');
  });
  afterAll(async () => {
    await server.kill();
    await log.remove();
    await rm(server.directory, { recursive: true, force: true });
  });

  it('are told of that by the running server, which does not let them wait', async () => {
    const tool = new CommandLine({ DATA_DIR: server.directory, EVENTSTORE_URL: log.url });
    const { code, stderr } = await tool.run('projections', 'status');
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${gone}\n` });
  });

  it.each([
    ['audit', 'log'],
    ['audit', 'verify'],
    ['projections', 'verify'],
    ['owner', 'reset-key'],
  ])('name it once, with the reason, in a data directory of their own: %s %s', async (...words) => {
    const directory = await mkdtemp(join(tmpdir(), 'palimpsest-tool-'));
    await writeFile(join(directory, 'server.key'), `${Buffer.alloc(32).toString('base64')}\n`);
    try {
      const tool = new CommandLine({
        DATA_DIR: directory,
        EVENTSTORE_URL: log.url,
        STORES_TIMEOUT_SECONDS: '1',
      });
      const { code, stderr } = await tool.run(...words);
      expect({ code, stderr }).toEqual({ code: 1, stderr: `${gone}\n` });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
