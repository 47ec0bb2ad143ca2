import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../src/config.js';
import { fileVariableOf, secretVariables } from '../../src/configuration/secret-files.js';
import { TestServer } from '../support/server.js';

const run = promisify(execFile);

let readme: string;
let server: TestServer;

beforeAll(async () => {
  readme = await readFile('README.md', 'utf8');
  server = await TestServer.start();
});

afterAll(async () => {
  await server.stop();
});

/** The first block of shell commands under a heading. */
function commandsUnder(heading: string): string {
  const block = new RegExp(`^## ${heading}$[\\s\\S]*?^\`\`\`sh$\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(
    readme,
  )?.[1];
  if (block === undefined) throw new Error(`README.md has no commands under ${heading}`);
  return block;
}

describe('the README', () => {
  it('shows first requests that work when they are pasted', async () => {
    const script = commandsUnder('First requests')
      .replaceAll('http://127.0.0.1:9991', server.site)
      .replaceAll('var/owner.zuliprc', join(server.directory, 'owner.zuliprc'));
    const { stdout } = await run('bash', ['-e', '-u', '-o', 'pipefail', '-c', script]);
    const replies = stdout
      .trimEnd()
      .split('\n')
      .map((reply) => JSON.parse(reply) as { result: string });
    expect(replies.map(({ result }) => result)).toEqual(Array(5).fill('success'));
    expect(replies.at(-1)).toMatchObject({
      message_history: [{ content: 'Note **G** is ready.' }, { content: 'Note **G** is finished.' }],
    });
  });

  it('shows the auditor the life of the message that was just edited', () => {
    expect(commandsUnder('First requests')).toContain('ID=$(curl');
    expect(commandsUnder('For auditors')).toContain('audit history $ID ');
  });

  it('names every variable that the configuration reads, and no other', () => {
    const files = new Set(secretVariables.map(fileVariableOf));
    const asked = new Set<string>();
    const environment = new Proxy({}, { get: (_target, name) => void asked.add(String(name)) });
    readConfiguration(environment);
    const table = /## Configuration\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
    const named = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(
      ([, cell]) => cell?.match(/[A-Z][A-Z0-9_]+/g) ?? [],
    );
    expect(named.sort()).toEqual([...asked].filter((name) => !files.has(name)).sort());
    expect([...asked]).toEqual(expect.arrayContaining([...files]));
  });
});
