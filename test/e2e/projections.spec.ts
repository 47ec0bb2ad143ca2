import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let directory: string;
let stores: ServerStores;
let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-projections-'));
  stores = await ServerStores.open();
  tool = new CommandLine({ DATA_DIR: directory, ...stores.environment });
  await startServer();
  const subscriptions = JSON.stringify([{ name: 'engines' }]);
  await owner.must('post', 'users/me/subscriptions', { subscriptions });
  for (let count = 0; count < 20; count += 1) await send(`Said ${count}.`);
}, 60_000);

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

async function startServer(): Promise<void> {
  server = await TestServer.start({ directory, stores });
  owner = await server.owner();
}

async function send(content: string): Promise<number> {
  const { id } = await owner.must('post', 'messages', {
    type: 'channel',
    to: 'engines',
    topic: 'notes',
    content,
  });
  return id as number;
}

async function newest(): Promise<unknown> {
  const page = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
  const { messages } = await owner.must('get', 'messages', page);
  return messages[0]?.content;
}

/** So long a reply waits for the read model, in milliseconds; on a machine that is too busy it goes without. */
const longestWait = 2000;

/** Sends a message, and answers what is found to be the newest once its reply is there. */
async function newestAfter(content: string): Promise<unknown> {
  const asked = performance.now();
  await send(content);
  if (performance.now() - asked < longestWait) return newest();
  return eventually(newest, (found) => found === content);
}

describe('projections rebuild', () => {
  it('answers every request, and none with what is older, while all models are rebuilt', async () => {
    let rebuilding = true;
    const wrong: unknown[] = [];
    const client = (async () => {
      let count = 0;
      for (; rebuilding; count += 1) {
        const content = `Meanwhile ${count}.`;
        const found = await newestAfter(content);
        if (found !== content) wrong.push({ content, found });
      }
      return count;
    })();
    const rebuilt = await tool.json('projections', 'rebuild', '--all');
    rebuilding = false;
    expect(await client).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
    expect(rebuilt.length).toBeGreaterThan(4);
    expect(await tool.json('projections', 'status')).toEqual(
      expect.arrayContaining(
        rebuilt.map(({ projection, version }) =>
          expect.objectContaining({ projection, servingVersion: version }),
        ),
      ),
    );
  }, 60_000);

  it('makes what verify finds to be the same as built from nothing', async () => {
    const { code, stdout } = await tool.run('projections', 'verify');
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/^messages: the same as rebuilt, digest [0-9a-f]{64}$/m);
  }, 60_000);

  it('keeps what served for a rollback, until it is dropped', async () => {
    expect(await tool.must('projections', 'rollback', 'messages')).toMatch(
      /^messages: version \d+ serves\.\n$/,
    );
    expect(await newestAfter('After going back.')).toBe('After going back.');
    expect(await tool.must('projections', 'drop', 'messages')).toMatch(/^messages: removed \d+\.\n$/);
    const { code, stderr } = await tool.run('projections', 'rollback', 'messages');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'There is no other version of messages that this program can keep up to date.\n',
    });
  });

  it.each([
    [['rebuild'], 'Name the read models to rebuild, or say --all.', 2],
    [['rebuild', 'mesages'], 'There is no projection "mesages"; there are directory, messages', 1],
  ])('refuses %j with a sentence', async (words, sentence, exit) => {
    const { code, stderr } = await tool.run('projections', ...words);
    expect(code).toBe(exit);
    expect(stderr).toContain(sentence);
  });
});

describe('projections pause and resume', () => {
  it('stop a model and let it go on, while requests are answered', async () => {
    const before = await newest();
    await tool.must('projections', 'pause', 'messages');
    await send('Nobody reads this yet.');
    expect(await newest()).toBe(before);
    expect(await tool.must('projections', 'status')).toMatch(/^messages +paused/m);
    await tool.must('projections', 'resume', 'messages');
    expect(await newestAfter('Everybody reads this.')).toBe('Everybody reads this.');
  });
});

describe('projections status', () => {
  it('shows the reactors, too', async () => {
    expect(await tool.must('projections', 'status')).toMatch(/^conclude-moves +acting +\d+ +0 events +-$/m);
  });
});

describe('projections dead-letters', () => {
  it('are none while all is well', async () => {
    expect(await tool.must('projections', 'dead-letters', 'list')).toBe('There are none.\n');
    const { code, stderr } = await tool.run('projections', 'dead-letters', 'discard', 'messages');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'messages does not stand before an event.\n' });
  });
});

describe('the figures of projections status', () => {
  it('stand in the metrics too', async () => {
    const metrics = await (await fetch(`${server.site}/metrics`)).text();
    expect(metrics).toMatch(/^projection_checkpoint\{projection="messages"\} \d+$/m);
    expect(metrics).toMatch(/^projection_lag_seconds\{projection="messages"\} [\d.]+$/m);
    expect(metrics).toMatch(/^reactor_halted\{reactor="conclude-moves"\} 0$/m);
  });

  it('stand in the readiness of the node too', async () => {
    const ready = (await (await fetch(`${server.site}/health/ready`)).json()) as { models: object[] };
    expect(ready.models).toEqual(
      expect.arrayContaining([expect.objectContaining({ projection: 'messages', state: 'live' })]),
    );
  });
});

describe('without a running server', () => {
  it('the tool works on the files', async () => {
    await server.kill();
    expect(await tool.must('projections', 'status')).toMatch(/^messages +stopped/m);
    const [rebuilt] = await tool.json('projections', 'rebuild', 'messages');
    await startServer();
    expect(await tool.json('projections', 'status')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ projection: 'messages', servingVersion: rebuilt!['version'] }),
      ]),
    );
    expect(await newest()).toBe('Everybody reads this.');
  }, 60_000);
});
