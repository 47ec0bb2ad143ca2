import { mkdir, mkdtemp, readdir, rm, writeFile, copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPromise } from 'yauzl';
import type { ApiClient } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

/** A reply, whatever is in it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into replies of every shape
type Told = Readonly<Record<string, any>>;
type Account = { readonly id: number; readonly client: ApiClient };

let folder: string;
let server: TestServer;
let owner: ApiClient;
let admin: Account;
let ada: Account;
let bo: Account;
let upload: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-exports-'));
  // The log that is exported and imported is an embedded one, whatever the other tests run on.
  server = await TestServer.start({ stores: ServerStores.embedded() });
  owner = await server.owner();
  admin = await server.createUser(owner, 'Admin');
  await owner.must('patch', `users/${admin.id}`, { role: 200 });
  ada = await server.createUser(owner, 'Ada Quill');
  bo = await server.createUser(owner, 'Bo');
  await bo.client.must('patch', 'settings', { email_address_visibility: 4 });
  await sayThings();
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function sayThings(): Promise<void> {
  const file = await bo.client.upload('user_uploads', new File(['Bytes of a ledger.'], 'ledger.txt'));
  upload = file.body['url'] as string;
  const open = await bo.client.createChannel('engines', { principals: [ada.id, bo.id] });
  const closed = await bo.client.createChannel('closed', { invite_only: true, principals: [ada.id, bo.id] });
  const secret = await bo.client.createChannel('secret', { invite_only: true });
  const guarded = await bo.client.createChannel('guarded', {
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const edited = await say(open, 'Open with a Zeppelin.');
  await bo.client.must('patch', `messages/${edited}`, { content: `Open talk. [ledger](${upload})` });
  await ada.client.must('post', `messages/${edited}/reactions`, { emoji_name: 'tada' });
  await owner.must('delete', `messages/${await say(open, 'Taken back.')}`);
  await say(closed, 'Closed talk.');
  await say(secret, 'Secret talk.');
  await say(guarded, 'Before Ada came.');
  await bo.client.must('post', 'users/me/subscriptions', {
    subscriptions: '[{"name":"guarded"}]',
    principals: JSON.stringify([ada.id]),
  });
  await say(guarded, 'After Ada came.');
  await bo.client.must('post', 'messages', { type: 'direct', to: [ada.id], content: 'To Ada.' });
  await bo.client.must('post', 'messages', { type: 'direct', to: [admin.id], content: 'To nobody else.' });
}

async function say(channel: number, content: string): Promise<number> {
  const message = { type: 'channel', to: channel, topic: 'notes', content };
  return (await bo.client.must('post', 'messages', message))['id'] as number;
}

/** Asks for an export, and waits until it is made. */
async function exported(by: ApiClient, export_type: string): Promise<Told> {
  const { id } = await by.must('post', 'export/realm', { export_type });
  return made(id as number);
}

function made(id: number): Promise<Told> {
  const ask = async (): Promise<Told> =>
    ((await owner.must('get', 'export/realm'))['exports'] as Told[]).find((one) => one['id'] === id)!;
  return eventually(ask, (one) => one['pending'] === false);
}

async function download(by: ApiClient, { id }: Told): Promise<Buffer> {
  const reply = await by.fetch(`/api/v1/export/realm/${String(id)}/file`);
  expect(reply.status).toBe(200);
  return Buffer.from(await reply.arrayBuffer());
}

async function entriesOf(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const file = join(folder, 'export.zip');
  await writeFile(file, bytes);
  const zip = await openPromise(file, { lazyEntries: true });
  const entries = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return entries;
}

function linesOf(entries: ReadonlyMap<string, string>, name: string): readonly Told[] {
  const lines = entries.get(name)!.split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Told);
}

/** What people wrote, without what the server's own bots said. */
function saidBy(entries: ReadonlyMap<string, string>): readonly unknown[] {
  return linesOf(entries, 'messages.ndjson')
    .filter(({ sender_id }) => sender_id === bo.id)
    .map(({ content }) => content as string);
}

describe('consent to the export of private data', () => {
  it('is listed for administrators, who receive an event when somebody gives it', async () => {
    const queues = await Promise.all(
      [admin.client, bo.client].map((client) =>
        ClientQueue.register(client, ['realm_export_consent', 'realm_user']),
      ),
    );
    await ada.client.must('patch', 'settings', { allow_private_data_export: true });
    await owner.must('patch', `users/${bo.id}`, { full_name: 'Bo Weaver' });
    const [told, toldBo] = await Promise.all(queues.map((queue) => queue.next()));
    expect(told).toContainEqual({ type: 'realm_export_consent', user_id: ada.id, consented: true });
    expect(toldBo!.map(({ type }) => type as string)).not.toContain('realm_export_consent');
    const { export_consents } = await admin.client.must('get', 'export/realm/consents');
    const listed = (export_consents as Told[]).filter(({ user_id }) => [ada.id, bo.id].includes(user_id));
    expect(listed).toEqual([
      { user_id: ada.id, consented: true, email_address_visibility: 1 },
      { user_id: bo.id, consented: false, email_address_visibility: 4 },
    ]);
    expect((export_consents as Told[]).length).toBe(4);
  });

  it('is sent to administrators when a person, but not a bot, is reactivated', async () => {
    const { id, client } = await server.createUser(owner, 'Cleo');
    const bot = await client.must('post', 'bots', { full_name: 'Helper', short_name: 'helper' });
    await client.must('patch', 'settings', { allow_private_data_export: true });
    await owner.must('delete', `users/${id}`);
    const queues = await Promise.all(
      [admin.client, bo.client].map((each) =>
        ClientQueue.register(each, ['realm_export_consent', 'realm_user']),
      ),
    );
    await owner.must('post', `users/${id}/reactivate`);
    await owner.must('post', `users/${String(bot['user_id'])}/reactivate`);
    const [told, toldBo] = await Promise.all(queues.map((queue) => queue.next()));
    const consents = (events: readonly Told[]): readonly Told[] =>
      events.filter(({ type }) => type === 'realm_export_consent');
    expect(consents(told!)).toEqual([{ type: 'realm_export_consent', user_id: id, consented: true }]);
    expect(consents(toldBo!)).toEqual([]);
  });

  it('and exports are nothing that others may ask for or see', async () => {
    for (const [method, path] of [
      ['get', 'export/realm/consents'],
      ['get', 'export/realm'],
      ['post', 'export/realm'],
      ['delete', 'export/realm/1'],
      ['get', 'export/realm/1/file'],
    ] as const) {
      const { status, body } = await ada.client[method](path);
      expect([path, status, body.code]).toEqual([path, 400, 'UNAUTHORIZED_PRINCIPAL']);
    }
  });
});

describe('a public export', () => {
  let one: Told;
  let entries: ReadonlyMap<string, string>;

  beforeAll(async () => {
    const queue = await ClientQueue.register(admin.client, ['realm_export']);
    one = await exported(admin.client, 'public');
    const events = [...(await queue.next())];
    while (events.at(-1)!['exports'][0].pending === true) events.push(...(await queue.next()));
    expect(events[0]).toMatchObject({
      type: 'realm_export',
      exports: [{ id: 1, acting_user_id: admin.id, export_type: 'public', pending: true, export_url: null }],
    });
    expect(events.at(-1)).toEqual({ type: 'realm_export', exports: [one] });
    entries = await entriesOf(await download(admin.client, one));
  });

  it('is made in the background, and its requester is notified of its location', async () => {
    expect(one).toMatchObject({
      export_url: `${server.site}/api/v1/export/realm/1/file`,
      failed_timestamp: null,
      deleted_timestamp: null,
    });
    const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['is', 'dm']] };
    const content = await eventually(
      async () => (await admin.client.must('get', 'messages', page))['messages'].at(-1).content as string,
      (html) => html.includes('Your export of public data is ready'),
    );
    expect(content).toContain(`href="${String(one['export_url'])}"`);
  });

  it('holds public channels as they stand, with their files, and a digest of everything', async () => {
    expect([...entries.keys()]).toEqual([
      'README.txt',
      'organization.json',
      'people.ndjson',
      'channels.ndjson',
      'messages.ndjson',
      'files.csv',
      expect.stringMatching(/^files\/\d+-ledger\.txt$/),
      'manifest.json',
    ]);
    expect(saidBy(entries)).toEqual([`Open talk. [ledger](${upload})`]);
    const [message] = linesOf(entries, 'messages.ndjson').filter(({ sender_id }) => sender_id === bo.id);
    expect(message).toMatchObject({
      sender_full_name: 'Bo Weaver',
      type: 'channel',
      channel_name: 'engines',
      topic: 'notes',
      user_ids: null,
      reactions: [{ user_id: ada.id, emoji_name: 'tada', reaction_type: 'unicode_emoji' }],
    });
    expect([...entries.values()]).toContain('Bytes of a ledger.');
    const manifest = JSON.parse(entries.get('manifest.json')!) as Told;
    expect(manifest).toMatchObject({
      format: 'palimpsest-export',
      type: 'public',
      files: 1,
      missing_files: 0,
    });
    for (const { name, sha256 } of manifest['entries'] as Told[])
      expect([name, createHash('sha256').update(entries.get(name)!).digest('hex')]).toEqual([name, sha256]);
  });

  it('contains nothing that only some people may know', () => {
    const everything = [...entries.values()].join('\n');
    for (const hidden of [
      'Zeppelin',
      'Taken back',
      'Closed talk',
      'Secret talk',
      'Ada came',
      'To Ada',
      'bo@',
    ])
      expect([hidden, everything.includes(hidden)]).toEqual([hidden, false]);
    expect(linesOf(entries, 'channels.ndjson').map(({ name }) => name as string)).not.toContain('closed');
    const people = linesOf(entries, 'people.ndjson');
    expect(people.find(({ id }) => id === bo.id)).toMatchObject({
      full_name: 'Bo Weaver',
      delivery_email: null,
    });
  });
});

describe('an export with consent', () => {
  it('holds also what those may read who consent, and nothing else', async () => {
    const entries = await entriesOf(await download(owner, await exported(admin.client, 'full_with_consent')));
    expect(saidBy(entries)).toEqual([
      `Open talk. [ledger](${upload})`,
      'Closed talk.',
      'After Ada came.',
      'To Ada.',
    ]);
    const channels = linesOf(entries, 'channels.ndjson').map(({ name }) => name as string);
    expect(channels).toEqual(expect.arrayContaining(['engines', 'closed', 'guarded']));
    expect(channels).not.toContain('secret');
    const direct = linesOf(entries, 'messages.ndjson').find(({ content }) => content === 'To Ada.');
    expect(direct).toMatchObject({ type: 'direct', channel_id: null, user_ids: [ada.id, bo.id] });
    expect(linesOf(entries, 'people.ndjson').find(({ id }) => id === bo.id)).toMatchObject({
      delivery_email: null,
    });
  });
});

describe('an export of everything', () => {
  let log: Buffer;
  let one: Told;

  it('is for owners alone, where they chose that it may be had', async () => {
    const everything = { export_type: 'full_without_consent' };
    expect((await owner.post('export/realm', everything)).body.code).toBe('BAD_REQUEST');
    await owner.must('patch', 'realm', { owner_full_content_access: true });
    expect((await admin.client.post('export/realm', everything)).body.code).toBe('UNAUTHORIZED_PRINCIPAL');
    one = await exported(owner, 'full_without_consent');
    expect((await admin.client.get(`export/realm/${String(one['id'])}/file`)).status).toBe(400);
    log = await download(owner, one);
    await owner.must('patch', 'realm', { owner_full_content_access: false });
    expect((await owner.get(`export/realm/${String(one['id'])}/file`)).body.code).toBe('BAD_REQUEST');
  });

  it('is the log with its files, encrypted, which an import reads that has the server’s key', async () => {
    expect(log.toString()).not.toContain('Secret talk.');
    const copy = join(folder, 'copy');
    await mkdir(copy, { mode: 0o700 });
    await writeFile(join(folder, 'log.ndjson'), log);
    await copyFile(join(server.directory, 'server.key'), join(copy, 'server.key'));
    const tool = new CommandLine({ DATA_DIR: copy });
    await tool.must('audit', 'import', join(folder, 'log.ndjson'));
    const said = await tool.json('audit', 'log', '--type', 'MessageSent');
    expect(JSON.stringify(said)).toContain('Secret talk.');
    // Neither of the exports that were there before.
    const { length } = log
      .toString()
      .split('\n')
      .filter((line) => line.includes('"sha256":"') && line.startsWith('{"file"'));
    expect(length).toBe(1);
  });
});

describe('exports', () => {
  it('are made one after another, and a maximum number in a week', async () => {
    const ids = await Promise.all([1, 2].map(() => owner.must('post', 'export/realm')));
    expect(ids.map(({ id }) => id as number).sort()).toEqual([4, 5]);
    const [fourth, fifth] = await Promise.all(ids.map(({ id }) => made(id as number)));
    expect([fourth!['failed_timestamp'], fifth!['failed_timestamp']]).toEqual([null, null]);
    const { status, body } = await owner.post('export/realm');
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('are removed, once, with their bytes', async () => {
    const kept = async (): Promise<readonly string[]> => {
      const names = await readdir(join(server.directory, 'files'), { recursive: true });
      return names.filter((name) => /exports\/./.test(name));
    };
    expect((await kept()).length).toBe(5);
    await admin.client.must('delete', 'export/realm/4');
    await eventually(kept, ({ length }) => length === 4);
    expect((await admin.client.delete('export/realm/4')).status).toBe(400);
    expect((await admin.client.delete('export/realm/99')).status).toBe(400);
    expect((await owner.get('export/realm/4/file')).status).toBe(400);
    const { exports } = await owner.must('get', 'export/realm');
    expect((exports as Told[])[3]).toMatchObject({
      id: 4,
      export_url: null,
      deleted_timestamp: expect.any(Number),
    });
    // Nothing of them lies in the clear anywhere.
    expect(await readdir(server.directory)).not.toContain('exports');
  });

  it('are shown to auditors', async () => {
    // Who asks only for the headers gets nothing of it.
    const head = await owner.submitRequest('/api/v1/export/realm/1/file', { method: 'HEAD' });
    expect([head.status, Number(head.headers.get('content-length')) > 1_000]).toEqual([200, true]);
    const page = { stream: 'exports', newest_first: true, limit: 100 };
    const { events } = await owner.must('get', 'audit/log', page);
    const sentences = (events as Told[]).map(({ sentence }) => String(sentence));
    for (const told of [
      /^Admin \(\d+\) asked for export 1 of the organization: what everybody may read\.$/,
      /^The server began to make export 1\.$/,
      /^Export 1 was made: \d+ bytes, \d+ messages, without 0 files that are gone, and with 0 damaged events\.$/,
      /^Admin \(\d+\) downloaded export 1\.$/,
      /^Admin \(\d+\) removed the file of export 4\.$/,
    ])
      expect(sentences).toContainEqual(expect.stringMatching(told));
    expect(sentences.filter((told) => told.endsWith('downloaded export 1.'))).toHaveLength(1);
  });
});
