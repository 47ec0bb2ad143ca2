import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeAt } from '../support/authenticator.js';
import { asHere, asksPalimpsest, blocksOf, runCommands, type ShownBlock } from '../support/guides.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let folder: string;
let data: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-guides-'));
  data = join(folder, 'data');
  // What the guides show is for embedded stores.
  server = await TestServer.start({ directory: data, stores: ServerStores.embedded() });
  const owner = await server.owner();
  const password = 'mauve-loom-1843';
  await owner.must('post', 'users', { email: 'ada@example.com', password, full_name: 'Ada Quill' });
  const subscriptions = JSON.stringify([{ name: 'engines' }]);
  await owner.must('post', 'users/me/subscriptions', { subscriptions });
  for (const content of ['Ready.', 'Finished.']) {
    await owner.must('post', 'messages', { type: 'channel', to: 'engines', topic: 'notes', content });
  }
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Commands of this program that a page shows, under some of its headings alone or under all. */
async function shown(page: string, isMeant: (block: ShownBlock) => boolean = () => true): Promise<string> {
  const blocks = (await blocksOf(page)).filter((block) => block.isShell && asksPalimpsest(block));
  const meant = blocks.filter(isMeant);
  expect(meant.length).toBeGreaterThan(0);
  return meant.map(({ text }) => text).join('');
}

/** A folder in which commands of one page are run. */
async function place(name: string): Promise<string> {
  const made = join(folder, name);
  await mkdir(made);
  return made;
}

describe('What the guides show works as it is written', () => {
  it.each(['audit', 'operate', 'upgrade'])(
    'docs/%s.md',
    async (name) => {
      const there = await place(name);
      const commands = asHere(await shown(`docs/${name}.md`), { data, there });
      const printed = await runCommands(commands, {
        folder: there,
        environment: { DATA_DIR: data },
      });
      if (name !== 'upgrade') expect(printed).toContain('Nothing is amiss.');
    },
    300_000,
  );

  it('README.md, for auditors and operators', async () => {
    const commands = await shown('README.md', ({ heading }) => /^For (auditors|operators)$/.test(heading));
    const environment = { DATA_DIR: data, ID: '1' };
    const printed = await runCommands(commands, { folder: await place('readme'), environment });
    expect(printed).toContain('Nothing is amiss.');
  });

  it('docs/deploy.md, "With systemd"', async () => {
    const commands = await shown('docs/deploy.md', ({ heading }) => heading === 'With systemd');
    const printed = await runCommands(commands.replaceAll('http://127.0.0.1:9991', server.site), {
      folder: await place('systemd'),
      environment: { DATA_DIR: data },
    });
    expect(printed).toMatch(/messages[\s\S]*"status":"ok"/);
  });

  it('docs/deploy.md, "A second factor"', async () => {
    const password = 'secret-of-Cy';
    const { client } = await server.createUser(await server.owner(), 'Cy');
    const { email, key } = client.credentials!;
    const blocks = (await blocksOf('docs/deploy.md')).filter(({ heading }) => heading === 'A second factor');
    expect(blocks).toHaveLength(1);
    const there = await place('second-factor');
    const ask = async (line: string, code: string): Promise<Record<string, unknown>> => {
      const command = line
        .replace('https://chat.example.com', server.site)
        .replace('EMAIL:KEY', `${email}:${key}`)
        .replace('PASSWORD', password)
        .replace('123456', code);
      const printed = await runCommands(command, { folder: there, environment: {} });
      return JSON.parse(printed) as Record<string, unknown>;
    };
    const [begin = '', confirm = '', show = '', disable = ''] = blocks[0]!.text.trim().split('\n');
    const { secret } = await ask(begin, '');
    const { recovery_codes } = await ask(confirm, codeAt(secret as string, Date.now()));
    expect(await ask(show, '')).toMatchObject({ is_enabled: true, recovery_codes_left: 10 });
    expect(await ask(disable, (recovery_codes as string[])[0]!)).toMatchObject({ result: 'success' });
  });

  it('docs/deploy.md, "Backups"', async () => {
    const there = await place('backups');
    const identity = await generateX25519Identity();
    await writeFile(join(there, 'palimpsest-backup.txt'), `# of the operators\n${identity}\n`);
    await writeFile(join(there, 'server.key'), await readFile(join(data, 'server.key')), { mode: 0o600 });
    const backups = {
      BACKUP_TO: join(there, 'nightly'),
      BACKUP_RECIPIENT: await identityToRecipient(identity),
    };
    await runCommands('palimpsest backup', { folder: there, environment: { ...backups, DATA_DIR: data } });
    const environment = { ...backups, DATA_DIR: join(there, 'restored') };
    const commands = await shown('docs/deploy.md', ({ heading }) => heading === 'Backups');
    await runCommands(commands, { folder: there, environment });
    const verified = await runCommands('palimpsest audit verify', { folder: there, environment });
    expect(verified).toContain('Nothing is amiss.');
  });

  it('docs/operate.md, with the server stopped', async () => {
    const blocks = (await blocksOf('docs/operate.md')).filter((one) => !one.isShell && asksPalimpsest(one));
    expect(blocks.map(({ heading }) => heading)).toEqual(["A server's key that others may know"]);
    await server.stop();
    const there = await place('stopped');
    const environment = { DATA_DIR: data };
    await runCommands(blocks[0]!.text, { folder: there, environment });
    const verified = await runCommands('palimpsest audit verify', { folder: there, environment });
    expect(verified).toContain('Nothing is amiss.');
  });
});

describe('The guide to upgrading', () => {
  it('has the backup, and the commands for each kind of installation of docs/deploy.md', async () => {
    const shownThere = (await blocksOf('docs/upgrade.md')).filter(({ heading }) => heading === 'Upgrading');
    const text = shownThere.map((block) => block.text).join('');
    // Where the server's user may write does not depend on where the command is called.
    expect(text).toMatch(/^palimpsest backup \/\S+ /m);
    const installed = (await blocksOf('docs/deploy.md')).filter(({ heading }) => heading === 'With systemd');
    const lines = installed.flatMap((block) => block.text.split('\n'));
    const again = lines.filter((line) => /^install (?!.*env)|npm ci --omit/.test(line));
    expect(again.length).toBe(3);
    for (const line of again) expect(text).toContain(line);
    for (const command of ['git pull', 'npm run build:console', 'docker compose up --detach']) {
      expect(text).toContain(command);
    }
  });
});
