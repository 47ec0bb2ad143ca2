import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ImpatientClient, type ApiClient } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { forgeEvent } from '../support/forged-event.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

const token = 'a-token-for-the-metrics';

let folder: string;
let server: TestServer;
let owner: ApiClient;
let forgedId: number;
let messageId: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-halted-'));
  const environment = { METRICS_TOKEN: token };
  server = await TestServer.start({ directory: folder, stores: ServerStores.embedded(), environment });
  owner = await server.owner();
  await owner.createChannel('engines');
  const message = { type: 'channel', to: 'engines', topic: 'notes', content: 'Ready.' };
  forgedId = (await owner.must('post', 'messages', message))['id'] as number;
  messageId = (await owner.must('post', 'messages', message))['id'] as number;
});

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

it('A node whose read model of messages is halted is alive and not ready, and is ready again for checks that exclude the model', async () => {
  await eventually(
    () => health('ready'),
    ({ status }) => status === 200,
  );
  // Without a tag: the models that follow deletions stop before it.
  forgeEvent(folder, {
    stream: `message-${forgedId}`,
    type: 'MessageDeleted',
    data: { messageId: forgedId },
    actorId: null,
  });
  const ready = await eventually(
    () => health('ready'),
    ({ status }) => status === 503,
  );
  expect(ready.body).toMatchObject({ status: 'failing', checks: { 'read-models': 'failing' } });
  expect(await health('live')).toEqual({ status: 200, body: { status: 'ok' } });
  const tool = new CommandLine({ DATA_DIR: folder });
  const excluded = async (): Promise<{ readonly halted: readonly string[]; readonly status: number }> => {
    const { stdout } = await tool.run('projections', 'status', '--json');
    const names = stdout.matchAll(/"projection":"([\w-]+)","state":"halted"/g);
    const halted = [...names].map(([, name]) => name!);
    return { halted, status: (await health(`ready?without=${halted.join(',')}`)).status };
  };
  // Some models may come to the event later than others.
  const { halted } = await eventually(excluded, ({ status }) => status === 200);
  expect(halted).toContain('messages');
  const authorization = `Bearer ${token}`;
  const metrics = await (await fetch(`${server.site}/metrics`, { headers: { authorization } })).text();
  expect(metrics).toMatch(/^palimpsest_projection_halted\{projection="messages"\} 1$/m);
  expect(metrics).toMatch(/^palimpsest_projection_halted\{projection="mail"\} 0$/m);
  // Strangers are told no more than a balancer needs.
  const stranger = await fetch(`${server.site}/health/ready`);
  expect([stranger.status, await stranger.json()]).toEqual([503, { status: 'failing' }]);
});

it('What nobody would see is refused before it is written, and what other models show is not', async () => {
  const message = { type: 'channel', to: 'engines', topic: 'notes', content: 'Still there?' };
  const path = `messages/${messageId}`;
  const tool = new CommandLine({ DATA_DIR: folder });
  const types = ['MessageSent', 'MessageEdited', 'MessageDeleted', 'MessagesMoved', 'ReactionAdded'];
  const written = async (): Promise<string> => {
    const { stdout } = await tool.run('audit', 'log', '--json', ...types.flatMap((type) => ['--type', type]));
    return stdout;
  };
  const before = await written();
  const impatient = ImpatientClient.of(owner);
  const replies = [
    await impatient.post('messages', message),
    await impatient.patch(path, { content: 'Almost ready.' }),
    await impatient.patch(path, { topic: 'drawings' }),
    await impatient.post(`${path}/reactions`, { emoji_name: 'octopus' }),
    await impatient.delete(path),
  ];
  for (const { status, body, headers } of replies) {
    expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(await written()).toBe(before);
  expect((await owner.get(path)).body).toMatchObject({ raw_content: 'Ready.' });
  const drafts = [{ type: '', to: [], topic: '', content: 'Later.', timestamp: 1 }];
  await owner.must('post', 'drafts', { drafts });
  expect(await owner.must('get', 'drafts')).toMatchObject({ count: 1 });
});

it('Whoever looks at the event on the command line is recorded', async () => {
  const tool = new CommandLine({ DATA_DIR: folder });
  const [letter] = await tool.json('projections', 'dead-letters', 'show', 'messages');
  const { position } = letter!['event'] as { readonly position: number };
  const looks = await tool.json('audit', 'log', '--type', 'LogAudited');
  expect(looks.map(({ data }) => data)).toContainEqual(
    expect.objectContaining({ userId: null, view: 'event', asked: { position } }),
  );
});

it('Once the event is discarded the same is written and seen, and who verifies is told what is lacking', async () => {
  const tool = new CommandLine({ DATA_DIR: folder });
  await tool.must('projections', 'dead-letters', 'discard', 'messages', '--yes');
  const message = { type: 'channel', to: 'engines', topic: 'notes', content: 'Here again.' };
  const { id } = await owner.must('post', 'messages', message);
  expect(await owner.must('get', `messages/${String(id)}`)).toMatchObject({ raw_content: 'Here again.' });
  for (const words of [
    ['audit', 'verify'],
    ['projections', 'verify', 'messages'],
  ]) {
    const { code, stdout } = await tool.run(...words);
    expect([words, code, stdout]).toEqual([
      words,
      3,
      expect.stringMatching(/lacks MessageDeleted at position \d+, which was discarded/),
    ]);
  }
});

it('The log of an auditor shows what its index was told to pass over, where it stands', async () => {
  const tool = new CommandLine({ DATA_DIR: folder });
  await tool.must('projections', 'dead-letters', 'discard', 'audit-index', '--yes');
  const path = `audit/messages/${forgedId}/history`;
  const asked = { message_id: forgedId, type: 'MessageSent,MessageDeleted', newest_first: true };
  interface Logged {
    readonly type: string;
    readonly sentence: string | null;
  }
  const told = async (): Promise<readonly unknown[]> => {
    const { body } = await owner.get('audit/log', asked);
    return ((body['events'] ?? []) as readonly Logged[]).map(({ type, sentence }) => [
      type,
      sentence !== null,
    ]);
  };
  const indexed = async (): Promise<boolean> => {
    const { projections } = await owner.must('get', 'audit/projections');
    type Status = { readonly projection: string; readonly state: string };
    return (projections as readonly Status[]).some(
      ({ projection, state }) => projection === 'audit-index' && state === 'live',
    );
  };
  expect(await eventually(indexed, (isLive) => isLive)).toBe(true);
  expect(await told()).toEqual([
    ['MessageDeleted', false],
    ['MessageSent', true],
  ]);
  const { steps } = await owner.must('get', path);
  expect(
    (steps as { readonly change: { readonly kind: string } }[]).map(({ change }) => change.kind),
  ).toEqual(['sent', 'unreadable']);
});
