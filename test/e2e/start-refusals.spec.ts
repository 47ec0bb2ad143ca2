import { once } from 'node:events';
import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDbProcess } from '../support/eventstoredb-stand-in/process.js';
import { dropDatabase, newDatabaseUrl } from '../support/mongodb-database.js';
import { CommandLine } from '../support/command-line.js';
import { launchServer, TestServer } from '../support/server.js';
import { ServerStores } from '../support/server-stores.js';

/** Runs where `MONGODB_URL` names a server. */
const onMongoDb = process.env['MONGODB_URL'] === undefined ? it.skip : it;

let folder: string;
let begun: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-refusals-'));
  begun = join(folder, 'begun');
  const server = await TestServer.start({ directory: begun, stores: ServerStores.embedded() });
  await server.stop();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a server says that is not to start. */
async function refusal(
  directory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: unknown; readonly said: string }> {
  const server = launchServer(directory, environment);
  const [said, [code]] = await Promise.all([text(server.stderr!), once(server, 'exit')]);
  return { code, said };
}

/** A copy of a data directory, some of whose files hold what nobody wrote. */
async function damaged(pattern: RegExp): Promise<string> {
  const directory = await mkdtemp(join(folder, 'damaged-'));
  await cp(begun, directory, { recursive: true });
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const matching = names.filter((name) => pattern.test(name));
  expect(matching).not.toEqual([]);
  for (const name of matching) {
    writeFileSync(join(directory, name), 'Not what SQLite would write. '.repeat(500), { mode: 0o600 });
    for (const suffix of ['-wal', '-shm']) rmSync(join(directory, `${name}${suffix}`), { force: true });
  }
  return directory;
}

describe('A server that cannot start says why, in a sentence', () => {
  it.each([
    ['is a file', 'file', 'is a file and not a folder; name another folder'],
    ['lies below a file', 'file/below', 'is a file and not a folder; name another folder'],
  ])('where DATA_DIR %s', async (_, name, sentence) => {
    writeFileSync(join(folder, 'file'), '');
    const { code, said } = await refusal(join(folder, name));
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining(sentence) });
    expect(said.trim().split('\n')).toHaveLength(1);
  });

  it('where a server that holds stores is not there', async () => {
    const environment = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false', STORES_TIMEOUT_SECONDS: '0' };
    const { code, said } = await refusal(join(folder, 'no-stores'), environment);
    expect({ code, said }).toEqual({
      code: 1,
      said: 'EventStoreDB at 127.0.0.1:1: nothing listens there (connection refused)\n',
    });
  });

  it('where DATA_DIR can never be made', async () => {
    const { code, said } = await refusal('/proc/palimpsest/data');
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('no folder can be made there') });
  });

  it.each([
    [/^models\/messages__v\d+\.sqlite$/, 'the next start builds what it held from the log'],
    [/^models\/engine\.sqlite$/, 'restore a backup, or remove the folder'],
    [/^keys\.sqlite$/, 'restore it from a backup'],
    [/^events\.sqlite$/, 'restore it from a backup'],
    [/^credentials\.sqlite$/, 'restore it from a backup'],
    [/^server\.key$/, 'is malformed: it must hold 32 bytes in base64'],
  ])('where %s holds garbage, and so do its tools', async (pattern, sentence) => {
    const directory = await damaged(pattern);
    const { code, said } = await refusal(directory);
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining(sentence) });
    expect(said).not.toMatch(/^ {4}at /m);
    const tool = await new CommandLine({ DATA_DIR: directory }).run('projections', 'status');
    expect(tool.stderr).not.toMatch(/^ {4}at /m);
  });

  it('where the place of the uploaded files is no folder', async () => {
    const directory = await mkdtemp(join(folder, 'files-'));
    await cp(begun, directory, { recursive: true });
    rmSync(join(directory, 'files'), { recursive: true });
    writeFileSync(join(directory, 'files'), 'in the way');
    const { code, said } = await refusal(directory);
    expect({ code, said }).toEqual({
      code: 1,
      said: `The folder ${join(directory, 'files')} for uploaded files cannot be used: it is a file and not a folder; move it away\n`,
    });
  });

  it('and an audit and a backup of a log that is no database name the file', async () => {
    const directory = await damaged(/^events\.sqlite$/);
    const file = join(directory, 'events.sqlite');
    const tool = new CommandLine({ DATA_DIR: directory });
    const said = `The file ${file} is damaged (file is not a database): restore it from a backup`;
    const audit = await tool.run('audit', 'verify');
    expect(audit).toMatchObject({ code: 3, stdout: expect.stringMatching(/\n1 faults were found\.\n$/) });
    expect(audit.stdout).toContain(`DAMAGED  ${said}\n`);
    const backup = await tool.run('backup', join(folder, 'backups'));
    expect(backup).toMatchObject({ code: 1, stderr: expect.stringContaining(`${said}\n`) });
    expect(audit.stderr + backup.stderr).not.toMatch(/^ {4}at /m);
  });

  it('and a backup of a key store that is no database names the file', async () => {
    const directory = await damaged(/^keys\.sqlite$/);
    const tool = new CommandLine({ DATA_DIR: directory });
    const { code, stderr } = await tool.run('backup', join(folder, 'backups'));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`The file ${join(directory, 'keys.sqlite')} is damaged`),
    });
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  it.each([
    ['the log', /^keys\.sqlite/, 'events.sqlite'],
    ['the key store', /^events\.sqlite/, 'keys.sqlite'],
  ])('where server.key is missing beside %s, and makes no new one', async (_, gone, left) => {
    const directory = await mkdtemp(join(folder, 'keyless-'));
    await cp(begun, directory, { recursive: true });
    for (const name of readdirSync(directory))
      if (name === 'server.key' || gone.test(name)) rmSync(join(directory, name));
    const { code, said } = await refusal(directory);
    expect({ code, said }).toEqual({
      code: 1,
      said: expect.stringContaining(
        `There is no server key ${join(directory, 'server.key')}, but there is ${join(directory, left)}`,
      ),
    });
    expect(readdirSync(directory)).not.toContain('server.key');
  });

  onMongoDb('where server.key is missing for the keys in a MongoDB, and makes no new one', async () => {
    const url = newDatabaseUrl();
    const environment = { MONGODB_URL: url };
    try {
      const first = await TestServer.start({
        directory: join(folder, 'mongodb-first'),
        environment,
        stores: ServerStores.embedded(),
      });
      await first.stop();
      const second = join(folder, 'mongodb-second');
      const { code, said } = await refusal(second, environment);
      expect({ code, said }).toEqual({
        code: 1,
        said: expect.stringContaining(
          `There is no server key ${join(second, 'server.key')}, but the database of MONGODB_URL holds keys`,
        ),
      });
      expect(readdirSync(second)).not.toContain('server.key');
    } finally {
      await dropDatabase(url);
    }
  });

  it('where server.key is missing for the log of an EventStoreDB, and makes no new one', async () => {
    const log = await EventStoreDbProcess.start();
    try {
      const environment = { EVENTSTORE_URL: log.url };
      const first = await TestServer.start({
        directory: join(folder, 'first'),
        environment,
        stores: ServerStores.embedded(),
      });
      await first.stop();
      const { code, said } = await refusal(join(folder, 'second'), environment);
      expect({ code, said }).toEqual({
        code: 1,
        said: expect.stringContaining('but the event log at EVENTSTORE_URL holds events'),
      });
      expect(readdirSync(join(folder, 'second'))).not.toContain('server.key');
    } finally {
      await log.end('SIGTERM');
      await log.remove();
    }
  });

  const itAsUser = process.getuid?.() === 0 ? it.skip : it;
  itAsUser(
    'and an audit names the log that it may not read (skipped as root, who may read everything)',
    async () => {
      const directory = await damaged(/^events\.sqlite$/);
      await chmod(join(directory, 'events.sqlite'), 0o000);
      const { code, stderr } = await new CommandLine({ DATA_DIR: directory }).run('audit', 'verify');
      expect(code).toBe(1);
      expect(stderr).toContain(`${join(directory, 'events.sqlite')} cannot be opened`);
      expect(stderr).not.toMatch(/^ {4}at /m);
    },
  );

  itAsUser.each(['files', 'incoming-files'])(
    'where %s may not be written to (skipped as root, who may write everywhere)',
    async (name) => {
      const directory = await mkdtemp(join(folder, 'folder-'));
      await cp(begun, directory, { recursive: true });
      writeFileSync(join(directory, name, 'left'), 'by another process');
      await chmod(join(directory, name), 0o500);
      const { code, said } = await refusal(directory);
      await chmod(join(directory, name), 0o700);
      expect({ code, said }).toEqual({
        code: 1,
        said: `The folder ${join(directory, name)} for uploaded files cannot be used: the server’s user may not read and write there; give it the folder\n`,
      });
    },
  );

  it('and an audit tells a DATA_DIR that cannot be read from one without a log', async () => {
    const loop = join(folder, 'loop');
    symlinkSync(loop, loop);
    const { code, stderr } = await new CommandLine({ DATA_DIR: loop }).run('audit', 'verify');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`DATA_DIR ${loop} cannot be read`),
    });
    const none = await new CommandLine({ DATA_DIR: join(folder, 'none') }).run('audit', 'verify');
    expect(none.stderr).toContain('There is no event log in DATA_DIR');
  });

  it.each([
    [{ EVENTSTORE_URL: 'esdb://a:2113?tls=perhaps' }, 'EVENTSTORE_URL is no connection string'],
    [{ SMTP_URL: 'smtp://ho st:99999' }, 'SMTP_URL must be an address such as'],
    [{ MONGODB_URL: 'mongodb://::::' }, 'MONGODB_URL: it is no connection string of MongoDB'],
    [
      { S3_BUCKET: 'b', S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
      'The bucket "b" at http://127.0.0.1:1 cannot be used',
    ],
  ])('with %j', async (environment, sentence) => {
    const { code, said } = await refusal(join(folder, 'new'), environment);
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining(sentence) });
    expect(said).not.toMatch(/^ {4}at /m);
  });

  it('and a restore names the folder that is missing, not DATA_DIR', async () => {
    const tool = new CommandLine({ DATA_DIR: begun });
    const { code, stderr } = await tool.run('restore', join(folder, 'nowhere'));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `There is no folder ${join(folder, 'nowhere')} to restore from.\n`,
    });
  });
});
