import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { areaPages } from '../support/api-pages.js';
import { blocksOf } from '../support/guides.js';
import { TestServer } from '../support/server.js';

// Some pages start curl twenty times, on a machine that may be busy.
const run = promisify(execFile);

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await TestServer.start();
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-api-pages-'));
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Lets each curl tell its status on standard error, as `status 200`. */
const tellingCurl = String.raw`curl() { command curl -w '%{stderr}status %{http_code}\n' "$@"; }`;

/** The commands in curl of a page, for the server of the test. */
async function commandsOf(page: string): Promise<string> {
  const blocks = await blocksOf(`docs/api/${page}`);
  return blocks
    .filter(({ isShell }) => isShell)
    .map(({ text }) => text)
    .join('\n')
    .replaceAll('http://127.0.0.1:9991', server.site)
    .replaceAll('var/owner.zuliprc', join(server.directory, 'owner.zuliprc'));
}

/** Runs commands as if they were pasted, and answers the statuses of the replies. */
async function statusesOf(commands: string): Promise<readonly number[]> {
  const script = `${tellingCurl}\n${commands}`;
  const { stderr } = await run('bash', ['-e', '-u', '-o', 'pipefail', '-c', script], { cwd: folder });
  return [...stderr.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status));
}

/** The status of each curl: the one in brackets in the last comment before it, else 200. */
function expectedStatuses(commands: string): readonly number[] {
  const statuses: number[] = [];
  let announced = 200;
  for (const line of commands.split('\n')) {
    if (line.startsWith('#')) announced = Number(/\((\d{3})\)/.exec(line)?.[1] ?? 200);
    if (!/(?:^|\$\()curl /.test(line)) continue;
    // What is kept for later cannot be what is refused.
    const isKept = line.includes('$(curl ');
    statuses.push(isKept ? 200 : announced);
    if (!isKept) announced = 200;
  }
  return statuses;
}

describe('The examples of the pages about the API', () => {
  it.each(areaPages)('are answered as %s says', async (page) => {
    const [first, own] = [await commandsOf('quick-start.md'), await commandsOf(page)];
    expect(expectedStatuses(own).length).toBeGreaterThan(1);
    const commands = `${first}\n${own}`;
    expect(await statusesOf(commands)).toEqual(expectedStatuses(commands));
  });
});
