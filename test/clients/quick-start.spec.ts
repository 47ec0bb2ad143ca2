import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestServer } from '../support/server.js';
import { notRun, pythonClients, run as runPython } from './support/python-clients.js';

// Interpreters start slowly on a busy machine.
const execute = promisify(execFile);

let guide: string;
let server: TestServer;

beforeAll(async () => {
  guide = await readFile('docs/api/quick-start.md', 'utf8');
  server = await TestServer.start();
});

afterAll(async () => {
  await server.stop();
});

/** The block of code in a language, for the server of the test. */
function block(language: string): string {
  const found = new RegExp(`^\`\`\`${language}$\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide)?.[1];
  if (found === undefined) throw new Error(`The guide has no block in ${language}`);
  return found
    .replaceAll('http://127.0.0.1:9991', server.site)
    .replaceAll('var/owner.zuliprc', join(server.directory, 'owner.zuliprc'));
}

/** Writes a block to a file beside the server's own, which is removed with it. */
async function program(language: string, name: string): Promise<string> {
  const file = join(server.directory, name);
  await writeFile(file, block(language));
  return file;
}

describe('The quick start', () => {
  it('works in curl', async () => {
    const { stdout } = await execute('bash', ['-e', '-u', '-o', 'pipefail', '-c', block('sh')]);
    const replies = stdout
      .replaceAll('}{', '}\n{')
      .trimEnd()
      .split('\n')
      .map((reply) => JSON.parse(reply) as Record<string, unknown>);
    expect(replies.map(({ result }) => result)).toEqual(Array(4).fill('success'));
    const read = { subject: 'notes', content: '<p>Note <strong>G</strong> is ready.</p>' };
    expect(replies[2]).toMatchObject({ messages: [{ subject: 'channel events' }, read] });
    const heard = { type: 'message', message: { content: 'Note **G** is ready.' } };
    expect((replies[3] as { events: object[] }).events.at(-1)).toMatchObject(heard);
  });

  it('works in JavaScript', async () => {
    const required = createRequire(import.meta.url).resolve('zulip-js');
    const file = await program('js', 'quick-start.cjs');
    await writeFile(file, (await readFile(file, 'utf8')).replace("'zulip-js'", JSON.stringify(required)));
    const { stdout } = await execute(process.execPath, [file], { timeout: 240_000 });
    expect(stdout).toMatch(/ wrote .*Note .*G.* is ready/);
    expect(stdout).toMatch(/^heard Note \*\*G\*\* is ready\.$/m);
  });

  const withPython = pythonClients === undefined ? it.skip : it;

  withPython(`works in Python${notRun}`, async () => {
    const printed = await runPython('python', [await program('python', 'quick_start.py')]);
    expect(printed).toMatch(/ wrote .*Note .*G.* is ready/);
    expect(printed).toMatch(/^heard Note \*\*G\*\* is ready\.$/m);
  });
});
