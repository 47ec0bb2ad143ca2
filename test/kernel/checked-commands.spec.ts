import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { asksPalimpsest, blocksOf, commandsOf, guides, type ShownBlock } from '../support/guides.js';

/** The guides, and the pages with commands for those who change the program. */
const pages = [...guides, 'CONTRIBUTING.md', 'docs/testing.md'];

/** A file that takes the commands that it runs from a page: those under a heading. */
interface FollowsPage {
  readonly file: string;
  readonly page: string;
  readonly heading: string;
}

/** Which file runs a command of the pages. */
const runners: Readonly<Record<string, string | FollowsPage>> = {
  '.ci/run': '.github/workflows/ci.yml',
  'npm ci': { file: '.ci/start', page: 'README.md', heading: 'Start it' },
  'npm start': { file: '.ci/start', page: 'README.md', heading: 'Start it' },
  'npm test': '.ci/run',
  'npm run build': 'package.json',
  'npm run build:console': 'package.json',
  'npm run lint': '.ci/run',
  'npm run format:check': '.ci/run',
  'npm run typecheck': '.ci/run',
  'pip install': '.ci/run',
  'age-keygen': { file: 'test/e2e/age.spec.ts', page: 'docs/deploy.md', heading: 'Backups' },
  age: { file: 'test/e2e/age.spec.ts', page: 'docs/deploy.md', heading: 'An encrypted export' },
  tar: '.ci/package',
  mkdir: '.ci/package',
  cp: '.ci/package',
  curl: { file: 'test/e2e/operators-guides.spec.ts', page: 'docs/deploy.md', heading: 'A second factor' },
  install: { file: 'test/e2e/moving-stores.spec.ts', page: 'docs/deploy.md', heading: 'From embedded' },
  sed: { file: 'test/e2e/operators-guides.spec.ts', page: 'docs/audit.md', heading: '' },
  nginx: 'test/kernel/deploy.spec.ts',
  promtool: 'test/kernel/monitoring.spec.ts',
  'caddy validate': 'test/kernel/deploy.spec.ts',
  'zulip-send': 'test/clients/python.spec.ts',
};

/** Whether a file calls a command: all its words in a row, with nothing between them but what separates arguments. A comment is no call. */
async function calls(file: string, command: string): Promise<boolean> {
  const source = (await readFile(file, 'utf8')).replaceAll(/^\s*(?:#|\/\/|\/?\*).*/gm, '');
  const words = source.replaceAll(/["'`,[\]()\s]+/g, ' ');
  const escaped = command.replaceAll('.', '\\.');
  return new RegExp(`(?<![\\w.:-])${escaped}(?![\\w.:-])`).test(words);
}

/** Whether a file names the heading, or the page where it runs all of it, and the command is in the blocks there. */
async function follows({ file, page, heading }: FollowsPage, command: string): Promise<boolean> {
  const source = await readFile(file, 'utf8');
  const [, name] = /^docs\/(\w+)\.md$/.exec(page) ?? [];
  const isNamed = source.includes(heading === '' ? `'${name}'` : heading);
  const blocks = (await commandBlocks(page)).filter((block) => block.heading.startsWith(heading));
  const run = heading === '' ? blocks.filter(asksPalimpsest) : blocks;
  return isNamed && run.some(({ text }) => text.split('\n').flatMap(commandsOf).includes(command));
}

/** The blocks of a page that have commands: README's "First requests" is one program, which test/e2e/readme.spec.ts runs. */
async function commandBlocks(page: string): Promise<readonly ShownBlock[]> {
  const blocks = (await blocksOf(page)).filter(({ isShell }) => isShell);
  return blocks.filter(({ heading }) => page !== 'README.md' || heading !== 'First requests');
}

async function shownOn(page: string): Promise<ReadonlySet<string>> {
  const lines = (await commandBlocks(page)).flatMap(({ text }) => text.split('\n'));
  return new Set(lines.flatMap(commandsOf));
}

/** The commands of the pages that no test runs. */
async function notRunOn(page: string): Promise<readonly string[]> {
  return [...(await shownOn(page))].filter((command) => !(command in runners));
}

/** What a list of docs/deploy.md, "What was checked", has in code, as commands. */
async function listed(title: string): Promise<readonly string[]> {
  const guide = `${await readFile('docs/deploy.md', 'utf8')}\n\n**`;
  const [, list = ''] = new RegExp(`\\*\\*${title}\\*\\*:\n\n([\\s\\S]*?)\n\n+\\*\\*`).exec(guide) ?? [];
  expect(list).not.toBe('');
  return [...list.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => commandsOf(code!));
}

describe('What the guides show and no test runs', () => {
  it('is listed in docs/deploy.md as tried by hand or as never tried, and nothing else is', async () => {
    const byHand = await listed('Tried by hand, not by a test');
    const never = await listed('Never tried');
    const notRun = new Set((await Promise.all(pages.map(notRunOn))).flat());
    const named = [...byHand, ...never];
    expect([...notRun].filter((command) => !named.includes(command))).toEqual([]);
    // What a test runs is not listed, nor what is no longer shown.
    const programs = new Set([...notRun, ...Object.keys(runners)].map((command) => command.split(' ')[0]));
    const commands = named.filter((command) => programs.has(command.split(' ')[0]));
    expect(commands.filter((command) => !notRun.has(command))).toEqual([]);
    expect(byHand.filter((command) => never.includes(command))).toEqual([]);
  });

  it('is said on each page that shows it', async () => {
    const silent: string[] = [];
    for (const page of pages) {
      const text = await readFile(page, 'utf8');
      if ((await notRunOn(page)).length > 0 && !text.includes('What was checked')) silent.push(page);
    }
    expect(silent).toEqual([]);
  });

  it('is nothing that the named files do not run', async () => {
    const shown = new Set((await Promise.all(pages.map(async (page) => [...(await shownOn(page))]))).flat());
    expect(Object.keys(runners).filter((command) => !shown.has(command))).toEqual([]);
    const absent: string[] = [];
    for (const [command, runner] of Object.entries(runners)) {
      const isRun = await (typeof runner === 'string' ? calls(runner, command) : follows(runner, command));
      if (!isRun) absent.push(command);
    }
    expect(absent).toEqual([]);
  });

  it('is no command in a block that is not marked as shell commands', async () => {
    const blocks = (await Promise.all(pages.map(blocksOf))).flat().filter(({ isShell }) => !isShell);
    const lines = blocks.filter((block) => !asksPalimpsest(block)).flatMap(({ text }) => text.split('\n'));
    const programs = new Set(Object.keys(runners).map((command) => command.split(' ')[0]));
    const known = [...programs, 'age-keygen', 'docker', 'systemctl', 'git'];
    expect(lines.filter((line) => known.includes(line.split(' ')[0]))).toEqual([]);
  });

  it('is none of the commands of this program', async () => {
    const blocks = (await Promise.all(guides.map(blocksOf))).flat().filter(asksPalimpsest);
    const headings = new Set(blocks.map(({ page, heading }) => `${page}: ${heading}`));
    const whole = ['docs/audit.md', 'docs/operate.md', 'docs/upgrade.md'];
    const apart = [...headings].filter((one) => !whole.some((page) => one.startsWith(page)));
    expect(apart).toEqual([
      'README.md: For auditors',
      'README.md: For operators',
      'docs/deploy.md: With systemd',
      'docs/deploy.md: Backups',
      'docs/deploy.md: An encrypted export',
      'docs/deploy.md: From embedded stores to servers, and back',
    ]);
  });
});
