import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { forgeEvent } from '../support/forged-event.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

const token = 'a-token-for-the-metrics';

let folder: string;
let server: TestServer;
let owner: ApiClient;
let messageId: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-halted-'));
  const environment = { METRICS_TOKEN: token };
  server = await TestServer.start({ directory: folder, stores: ServerStores.embedded(), environment });
  owner = await server.owner();
  await owner.createChannel('engines');
  const message = { type: 'channel', to: 'engines', topic: 'notes', content: 'Ready.' };
  messageId = (await owner.must('post', 'messages', message))['id'] as number;
}, 300_000);

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function health(path: string): Promise<{ readonly status: number; readonly body: object }> {
  const response = await fetch(`${server.site}/health/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: (await response.json()) as object };
}

it('A node whose model of messages is halted lives, is not ready, and is ready for who wants it without', async () => {
  expect((await health('ready')).status).toBe(200);
  // Without a tag: the models that follow deletions stop before it.
  forgeEvent(folder, {
    stream: `message-${messageId}`,
    type: 'MessageDeleted',
    data: { messageId },
    actorId: null,
  });
  const ready = await eventually(
    () => health('ready'),
    ({ status }) => status === 503,
    60_000,
  );
  expect(ready.body).toMatchObject({ status: 'failing', checks: { 'read-models': 'failing' } });
  expect(await health('live')).toEqual({ status: 200, body: { status: 'ok' } });
  const tool = new CommandLine({ DATA_DIR: folder });
  const status = await tool.run('projections', 'status', '--json');
  const halted = [...status.stdout.matchAll(/"projection":"([\w-]+)","state":"halted"/g)].map(
    ([, name]) => name!,
  );
  expect(halted).toContain('messages');
  // What it says is true: this is shown as old as the event, so that no balancer may send people here.
  const message = { type: 'channel', to: 'engines', topic: 'notes', content: 'Still there?' };
  const { id } = await owner.must('post', 'messages', message);
  expect((await owner.get(`messages/${String(id)}`)).status).toBe(400);
  expect(await health(`ready?without=${halted.join(',')}`)).toMatchObject({ status: 200 });
  // Strangers are told no more than a balancer needs.
  const stranger = await fetch(`${server.site}/health/ready`);
  expect([stranger.status, await stranger.json()]).toEqual([503, { status: 'failing' }]);
}, 300_000);
