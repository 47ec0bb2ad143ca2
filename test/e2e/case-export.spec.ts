import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'parse5';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import type { ApiClient } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let tool: CommandLine;
let owner: ApiClient;
let ada: { readonly id: number; readonly client: ApiClient };
let caseId: number;

const hostile = '<script>alert(1)</script><img src=x onerror=alert(2)> =cmd|calc "quoted"';

beforeAll(async () => {
  server = await TestServer.start({ stores: ServerStores.embedded() });
  tool = new CommandLine({ DATA_DIR: server.directory });
  owner = await server.owner();
  ada = await server.createUser(owner, 'Ada Quill & Co');
  for (const client of [owner, ada.client])
    await client.must('post', 'users/me/subscriptions', { subscriptions: '[{"name":"engines"}]' });
  await owner.must('patch', 'realm', { message_erasure_policy: 'erase', name: 'Renamed Looms' });
  const upload = await ada.client.upload('user_uploads', new File(['<script>1</script>'], 'page.html'));
  const edited = await send(`${hostile} [page](${upload.body['url'] as string})`);
  await ada.client.must('patch', `messages/${edited}`, { content: 'Harmless.', topic: 'elsewhere' });
  const erased = await send('Erased: Quetzal.');
  await owner.must('delete', `messages/${erased}`);
  const { id } = await owner.must('post', 'audit/cases', {
    name: `A case ${hostile}`.slice(0, 90),
    user_ids: `[${ada.id}]`,
  });
  caseId = id as number;
  await owner.must('post', `audit/cases/${caseId}/hold`);
  const deleted = await send('Deleted under the hold: Zeppelin.');
  await owner.must('delete', `messages/${deleted}`);
});

afterAll(() => server.stop());

async function send(content: string): Promise<number> {
  const message = { type: 'channel', to: 'engines', topic: 'notes', content };
  return (await ada.client.must('post', 'messages', message))['id'] as number;
}

/** Has the bundle made, and saves it. */
async function exported(): Promise<{
  readonly file: string;
  readonly task: string;
  readonly result: object;
}> {
  const { task } = await owner.must('post', `audit/cases/${caseId}/tasks`, { kind: 'export' });
  const ended = await eventually(
    () => owner.must('get', `audit/case-tasks/${String(task.id)}`),
    (reply) => reply['task'].state !== 'running',
  );
  const reply = await owner.fetch(`/api/v1/audit/case-tasks/${String(task.id)}/bundle`);
  expect(reply.headers.get('content-type')).toBe('application/zip');
  const file = join(server.directory, 'bundle.zip');
  const bytes = Buffer.from(await reply.arrayBuffer());
  await writeFile(file, bytes);
  const result = ended['task'].result as { readonly bytes: number; readonly sha256: string };
  expect(result).toMatchObject({
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  return { file, task: task.id as string, result };
}

async function entriesOf(file: string): Promise<ReadonlyMap<string, string>> {
  const zip = await openPromise(file, { lazyEntries: true });
  const entries = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return entries;
}

/** The same bundle with some entries as somebody else would have them. */
async function forged(entries: ReadonlyMap<string, string>): Promise<string> {
  const zip = new ZipFile();
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const file = join(server.directory, 'forged.zip');
  await rm(file, { force: true });
  await writeFile(file, zip.outputStream as AsyncIterable<Buffer> as never);
  return file;
}

describe('the bundle of a case', () => {
  let file: string;
  let task: string;
  let entries: ReadonlyMap<string, string>;

  beforeAll(async () => {
    let result: object;
    ({ file, task, result } = await exported());
    expect(result).toMatchObject({
      messages: 3,
      versions: 4,
      files: 1,
      missing_files: 0,
      unreadable_events: 0,
    });
    entries = await entriesOf(file);
  });

  it('holds every version to read and to process, the files and the manifest', () => {
    expect([...entries.keys()].filter((name) => !name.startsWith('files/'))).toEqual([
      'README.txt',
      'index.html',
      'pages/messages-0001.html',
      'messages.ndjson',
      'messages.csv',
      'files.csv',
      'proofs.ndjson',
      'manifest.json',
    ]);
    const lines = entries.get('messages.ndjson')!.trimEnd().split('\n');
    const messages = lines.map((line) => JSON.parse(line) as Record<string, never>);
    expect(messages).toMatchObject([
      {
        sender_name: 'Ada Quill & Co',
        place_name: '#engines > elsewhere',
        moved_from: ['#engines > notes'],
        versions: [
          { number: 1, text: expect.stringContaining('<script>') },
          { number: 2, text: 'Harmless.' },
        ],
        deleted: null,
      },
      { versions: [{ text: null }], deleted: { by_id: expect.any(Number) } },
      { versions: [{ text: 'Deleted under the hold: Zeppelin.' }], deleted: { by_id: expect.any(Number) } },
    ]);
    const table = entries.get('messages.csv')!.trimEnd().split('\r\n');
    expect(table).toHaveLength(5);
    expect(entries.get('files.csv')).toContain('page.html');
    const uploaded = [...entries].filter(([name]) => name.startsWith('files/'));
    expect(uploaded.map(([, content]) => content)).toEqual(['<script>1</script>']);
  });

  it('shows texts and names as they are, and runs nothing', () => {
    for (const name of ['index.html', 'pages/messages-0001.html']) {
      const html = entries.get(name)!;
      expect(html).toContain("default-src 'none'");
      const tags = tagsOf(parse(html));
      expect(tags.has('pre') && tags.has('bdi')).toBe(true);
      for (const active of ['script', 'img', 'iframe', 'form', 'object'])
        expect(tags.has(active)).toBe(false);
      // A page that somebody uploaded is named, and not opened by a click.
      expect(html).not.toMatch(/href="[^"]*page\.html"/);
    }
  });

  it('is checked by the command line, also for who must have signed it', async () => {
    const unproven = await tool.run('audit', 'check', file);
    expect(unproven).toMatchObject({ code: 4, stdout: expect.stringContaining('Nothing is amiss.') });
    const [checked] = JSON.parse(`[${(await tool.run('audit', 'check', file, '--json')).stdout}]`);
    expect(checked).toMatchObject({
      faults: [],
      claim: {
        organization: 'Renamed Looms',
        organizationId: expect.any(String),
        case: { id: caseId },
        counts: { messages: 3 },
      },
    });
    expect(checked.proven).toBe(checked.claim.counts.events);
    expect(checked.proven).toBeGreaterThan(5);
    expect(await tool.run('audit', 'check', file, '--signer', checked.signer)).toMatchObject({ code: 0 });
    const other = await tool.run('audit', 'check', file, '--signer', 'SHA256:other');
    expect(other).toMatchObject({ code: 3, stdout: expect.stringContaining('not by SHA256:other') });
  });

  it('is refused where anything of it was changed, left out or put in', async () => {
    const changed = (name: string, change: (text: string) => string): Promise<string> =>
      forged(new Map([...entries].map(([one, content]) => [one, one === name ? change(content) : content])));
    const faultsOf = async (forgery: string): Promise<string> => {
      const { code, stdout } = await tool.run('audit', 'check', forgery);
      expect(code).toBe(3);
      return stdout;
    };
    const others = (content: string): string => content.replace('Harmless.', 'Harmful..');
    expect(await faultsOf(await changed('messages.ndjson', others))).toContain(
      'messages.ndjson is not as it was packed',
    );
    const longer = (content: string): string => `${content}more`;
    expect(await faultsOf(await changed('messages.csv', longer))).toContain(
      'messages.csv is not as it was packed',
    );
    const retold = (content: string): string => content.replace('"MessageSent"', '"MessageSant"');
    expect(await faultsOf(await changed('proofs.ndjson', retold))).toContain('its hash is another');
    const resized = (content: string): string => content.replace('"messages": 3', '"messages": 2');
    expect(await faultsOf(await changed('manifest.json', resized))).toContain('its signature does not fit');
    expect(await faultsOf(await forged(new Map([...entries, ['more.txt', '']])))).toContain(
      'was not packed with it',
    );
    const fewer = new Map(entries);
    fewer.delete('README.txt');
    expect(await faultsOf(await forged(fewer))).toContain('README.txt is missing');
    fewer.delete('manifest.json');
    expect(await tool.run('audit', 'check', await forged(fewer))).toMatchObject({ code: 1 });
  });

  it('is for the auditor who had it made, each download is recorded, and it goes with its task', async () => {
    const path = `audit/case-tasks/${task}`;
    expect((await ada.client.get(`${path}/bundle`)).body).toMatchObject({ msg: 'Insufficient permission' });
    // Who asks only for the headers gets nothing of it.
    const head = await owner.submitRequest(`/api/v1/${path}/bundle`, { method: 'HEAD' });
    expect([head.status, Number(head.headers.get('content-length')) > 1_000]).toEqual([200, true]);
    const { events } = await owner.must('get', 'audit/log', { type: 'LogAudited', limit: 1000, after: 0 });
    const views = (events as { readonly data: { readonly view: string } }[]).map(({ data }) => data.view);
    expect(views.filter((view) => view.startsWith('case-'))).toEqual(['case-export', 'case-download']);
    expect(await readdir(join(server.directory, 'bundles'))).toEqual([`${task}.zip`]);
    await owner.must('delete', path);
    expect(await readdir(join(server.directory, 'bundles'))).toEqual([]);
    expect((await owner.get(`${path}/bundle`)).status).toBe(404);
    expect(await readFile(file)).toBeInstanceOf(Buffer);
  });
});

function tagsOf(node: object, found = new Set<string>()): ReadonlySet<string> {
  const { tagName, childNodes = [] } = node as { readonly tagName?: string; readonly childNodes?: object[] };
  if (tagName !== undefined) found.add(tagName);
  for (const child of childNodes) tagsOf(child, found);
  return found;
}
