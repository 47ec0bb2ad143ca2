import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import type { ApiClient, Reply } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let ada: ApiClient;
let messageId: number;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-proofs-'));
  server = await TestServer.start({ environment: { SEAL_EVERY_EVENTS: '5' } });
  tool = new CommandLine({ DATA_DIR: server.directory });
  owner = await server.owner();
  ({ client: ada } = await server.createUser(owner, 'Ada Quill'));
  await ada.createChannel('engines');
  const message = { type: 'channel', to: 'engines', topic: 'notes', content: 'Ready.' };
  messageId = (await ada.must('post', 'messages', message))['id'] as number;
  await ada.must('patch', `messages/${messageId}`, { content: 'Almost ready.', topic: 'looms' });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Begins a work, and answers how it ended. */
async function done(parameters: Readonly<Record<string, unknown>>): Promise<Reply> {
  const { proof } = await owner.must('post', 'audit/proofs', { ...parameters });
  const ended = await eventually(
    async () => (await owner.must('get', 'audit/proofs'))['proof'] as Reply,
    (one) => one['ended_at'] !== null,
  );
  expect(ended['id']).toBe(proof.id);
  return ended;
}

async function bundleOf(parameters: Readonly<Record<string, unknown>>): Promise<string> {
  expect(await done({ kind: 'bundle', ...parameters })).toMatchObject({ state: 'done', reason: null });
  return JSON.stringify((await owner.must('get', 'audit/proofs/bundle'))['bundle']);
}

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

describe('seals and proofs over HTTP', () => {
  it('lists the seals, the newest first, in pages', async () => {
    const { seals } = await eventually(
      () => owner.must('get', 'audit/seals'),
      (reply) => (reply['seals'] as readonly Reply[]).length >= 3,
    );
    const all = seals as readonly Reply[];
    const sizes = all.map(({ size }) => size as number);
    expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
    expect(all[0]!['signer']).toMatch(/^SHA256:/);
    const first = await owner.must('get', 'audit/seals', { before: all[0]!['number'] as number, limit: 1 });
    expect(first['seals']).toEqual([all[1]]);
    const rest = await owner.must('get', 'audit/seals', { before: first['before'] as number });
    expect(rest['seals']).toEqual(all.slice(2));
    expect(rest['before']).toBeNull();
  });

  it('verifies the log as the command line does', async () => {
    const proof = await done({ kind: 'verification' });
    expect(proof).toMatchObject({ state: 'done', kind: 'verification', is_compared: false, bundle: null });
    const report = proof['report'] as Reply;
    expect(report).toMatchObject({ findings: [], discarded: [] });
    expect(proof['progress']).toMatchObject({ events: report['events'] as number });
    const [printed] = await tool.json('audit', 'verify');
    // Sealing goes on meanwhile.
    expect(Object.keys(printed!).sort()).toEqual(Object.keys(report).sort());
    expect(printed).toMatchObject({
      findings: [],
      sealSigners: report['sealSigners'],
      taggedFrom: report['taggedFrom'],
    });
    expect(printed!['events']).toBeGreaterThanOrEqual(report['events'] as number);
  });

  it('proves a message so that an outsider can check it, and continues what was kept', async () => {
    const head = await bundleOf({});
    const proof = await bundleOf({ message_id: messageId, earlier: head });
    const { signer } = (await owner.must('get', 'audit/proofs'))['proof'].bundle as { signer: string };
    const files = [await fileOf('proof.json', proof), '--earlier', await fileOf('head.json', head)];
    const [checked] = await tool.json('audit', 'check', ...files, '--signer', signer);
    expect(checked).toMatchObject({ faults: [], isSignerKnown: true, inclusions: 3 });
    const over = await owner.must('post', 'audit/proofs/check', { bundle: proof, earlier: head, signer });
    expect(over).toMatchObject({ faults: [], isSignerKnown: true, claim: checked!['claim'] as object });
    expect((over['events'] as readonly Reply[]).map(({ type }) => type as string).sort()).toEqual([
      'MessageEdited',
      'MessageSent',
      'MessagesMoved',
    ]);
  });

  it('proves any one event, and its record names the event', async () => {
    const [created] = await tool.json('audit', 'log', '--type', 'OrganizationCreated');
    const after = (await owner.must('get', 'audit/projections'))['head'] as number;
    const eventId = created!['id'] as string;
    const bundle = await bundleOf({ event_id: eventId });
    expect((await owner.must('get', 'audit/proofs'))['proof']).toMatchObject({
      message_id: null,
      event_id: eventId,
      bundle: { events: 1 },
    });
    const checked = await owner.must('post', 'audit/proofs/check', { bundle });
    expect(checked).toMatchObject({
      faults: [],
      events: [{ id: eventId, type: 'OrganizationCreated' }],
    });
    const { events } = await owner.must('get', 'audit/log', { type: 'LogAudited', after });
    expect((events as readonly Reply[])[0]).toMatchObject({
      data: { view: 'proof-bundle', asked: { eventId }, selection: { messageId: null } },
      sentence: expect.stringContaining(`read a proof bundle over HTTP (event ${eventId}).`),
    });
  });

  it('proves a message or an event, not both, and only what the log holds', async () => {
    const eventId = '0190c1de-0000-8000-8000-000000000000';
    const refusals: readonly (readonly [object, string])[] = [
      [
        { kind: 'bundle', message_id: messageId, event_id: eventId },
        "Can't decide between 'message_id' and 'event_id' arguments",
      ],
      [{ kind: 'verification', event_id: eventId }, "Unknown argument 'event_id'"],
      // The number of a message is no id of an event.
      [{ kind: 'bundle', event_id: String(messageId) }, 'event_id'],
    ];
    for (const [parameters, message] of refusals)
      expect((await owner.post('audit/proofs', { ...parameters })).body).toMatchObject({
        result: 'error',
        msg: expect.stringContaining(message),
      });
    expect((await ada.post('audit/proofs', { kind: 'bundle', event_id: eventId })).body).toMatchObject({
      msg: 'Insufficient permission',
    });
    expect(await done({ kind: 'bundle', event_id: eventId })).toMatchObject({
      state: 'failed',
      reason: `The log holds no event ${eventId}.`,
    });
    expect(await done({ kind: 'bundle' })).toMatchObject({
      state: 'done',
      message_id: null,
      event_id: null,
      bundle: { events: 0 },
    });
  });

  it('names the organization as it is called now, and by an id that stays', async () => {
    const claimOf = (text: string): Reply => (JSON.parse(text) as { readonly claim: Reply }).claim;
    const before = await bundleOf({});
    await owner.must('patch', 'realm', { name: 'Renamed Looms' });
    const after = await bundleOf({ earlier: before });
    expect(claimOf(after)['organization']).toBe('Renamed Looms');
    expect(claimOf(before)['organization']).not.toBe('Renamed Looms');
    const [created] = await tool.json('audit', 'log', '--type', 'OrganizationCreated');
    expect([before, after].map((text) => claimOf(text)['organizationId'])).toEqual([
      created!['id'],
      created!['id'],
    ]);
    for (const bundle of [before, after])
      expect((await owner.must('post', 'audit/proofs/check', { bundle }))['faults']).toEqual([]);
    const printed = await tool.json('audit', 'seal');
    expect(printed[0]!['claim']).toMatchObject({ organization: 'Renamed Looms' });
  });

  it('says what is wrong with what was kept, and compares it with the log', async () => {
    const head = await bundleOf({});
    expect(await done({ kind: 'verification', kept: head })).toMatchObject({
      state: 'done',
      is_compared: true,
      report: { findings: [] },
    });
    const changed = JSON.stringify({ ...JSON.parse(head), publicKey: 'bm90IGEga2V5' });
    const checked = await owner.must('post', 'audit/proofs/check', { bundle: changed });
    expect(checked).toMatchObject({ faults: [expect.stringContaining('its signature does not fit')] });
    expect(await done({ kind: 'verification', kept: changed })).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('its signature does not fit'),
    });
    expect(await done({ kind: 'verification', kept: '{}' })).toMatchObject({ state: 'failed' });
    expect(await done({ kind: 'bundle', message_id: 99_999 })).toMatchObject({
      state: 'failed',
      reason: 'The log holds no message 99999.',
    });
    expect((await owner.get('audit/proofs/bundle')).status).toBe(404);
    const other = await owner.post('audit/proofs/check', { bundle: head, signer: 'SHA256:somebody' });
    expect(other.body).toMatchObject({ faults: [expect.stringContaining('not by SHA256:somebody')] });
    const none = await owner.post('audit/proofs/check', { bundle: 'none' });
    expect(none.body).toMatchObject({ msg: "'bundle' is not a proof bundle" });
    const long = 'x'.repeat(budgets.proofBundle.max + 1);
    for (const [path, parameters] of [
      ['audit/proofs/check', { bundle: long }],
      ['audit/proofs', { kind: 'verification', kept: long }],
    ] as const)
      expect((await owner.post(path, parameters)).body).toMatchObject({
        msg: `A proof bundle has at most ${budgets.proofBundle.max} characters here`,
      });
  });

  it('is for auditors, notes what is begun, bundles that are downloaded and seals that are listed, and not who follows it', async () => {
    for (const answer of [
      await ada.get('audit/seals'),
      await ada.get('audit/proofs'),
      await ada.get('audit/proofs/bundle'),
      await ada.post('audit/proofs', { kind: 'verification' }),
      await ada.post('audit/proofs/check', { bundle: '{}' }),
      await ada.delete('audit/proofs'),
    ])
      expect(answer.body).toMatchObject({ msg: 'Insufficient permission' });
    const after = (await owner.must('get', 'audit/projections'))['head'] as number;
    await owner.must('get', 'audit/seals');
    await bundleOf({ message_id: messageId });
    await owner.must('delete', 'audit/proofs');
    const { events } = await owner.must('get', 'audit/log', { type: 'LogAudited', after });
    const views = (events as readonly Reply[]).map(({ data }) => data['view'] as string);
    expect(views).toEqual(['seals', 'proof-bundle', 'proof-download', 'log']);
  });
});
