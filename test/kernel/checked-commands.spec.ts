import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { asksPalimpsest, blocksOf, commandsOf, guides, type ShownBlock } from '../support/guides.js';

/** The guides, and the pages with commands for those who change the program. */
const pages = [...guides, 'CONTRIBUTING.md', 'docs/testing.md'];

/** A part of a page that a file takes its commands from. */
interface FollowedPart {
  readonly file: string;
  readonly page: string;
  /** How the heading begins; empty: the whole page. */
  readonly heading: string;
  /** Whether only the blocks are run in which this program is called. */
  readonly isOwnOnly?: boolean;
}

/** A command that a file runs on other files and folders than the page shows. */
interface RunElsewhere {
  readonly file: string;
  readonly as: string;
}

/** Parts of pages of which a test runs every command. */
const parts: readonly FollowedPart[] = [
  { file: 'test/e2e/moving-stores.spec.ts', page: 'docs/deploy.md', heading: 'From embedded' },
  { file: 'test/e2e/operators-guides.spec.ts', page: 'docs/audit.md', heading: '', isOwnOnly: true },
  { file: 'test/e2e/operators-guides.spec.ts', page: 'docs/deploy.md', heading: 'A second factor' },
  {
    file: 'test/e2e/operators-guides.spec.ts',
    page: 'docs/deploy.md',
    heading: 'With systemd',
    isOwnOnly: true,
  },
];

/** Which file runs a command of the pages that is in no such part. */
const runners: Readonly<Record<string, string | FollowedPart | RunElsewhere>> = {
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
  'mkdir /opt/palimpsest': {
    file: '.ci/package',
    as: 'mkdir "$folder/bin" "$folder/empty" "$folder/unpacked"',
  },
  'tar -xzf palimpsest-<version>.tgz --strip-components=1 --directory /opt/palimpsest': {
    file: '.ci/package',
    as: 'tar -xzf "$folder"/palimpsest-*.tgz --strip-components=1 --directory "$folder/unpacked"',
  },
  'cp dist/package-lock.json .': '.ci/package',
  nginx: 'test/kernel/deploy.spec.ts',
  promtool: 'test/kernel/monitoring.spec.ts',
  'caddy validate': 'test/kernel/deploy.spec.ts',
  'zulip-send': 'test/clients/python.spec.ts',
};

/** The first argument of a test is its title; of one that needs a program, the second. */
const TITLES =
  /((?:\b(?:it|describe)|\.each\(\[[^\]]*\]\))\(|\bitWith\(\s*'[^']*',)\s*(?:'[^']*'|"[^"]*"|`[^`]*`)/g;

/** What a file does: neither its comments nor the titles of its tests. */
async function codeOf(file: string): Promise<string> {
  const source = await readFile(file, 'utf8');
  return source.replaceAll(/^\s*(?:#|\/\/|\/?\*).*/gm, '').replaceAll(TITLES, '$1');
}

/** Text without what separates arguments, in a shell or in code. */
function wordsOf(text: string): string {
  return text.replaceAll(/["'`,[\]()\s]+/g, ' ');
}

/** Whether a file calls a command: all its words in a row. */
async function calls(file: string, command: string): Promise<boolean> {
  const escaped = wordsOf(command)
    .trim()
    .replaceAll(/[$*+.?^{|}\\]/g, '\\$&');
  return new RegExp(`(?<![\\w.:-])${escaped}(?![\\w.:-])`).test(wordsOf(await codeOf(file)));
}

/** Whether a file names the heading, or the page of which it runs all. */
async function isNamedIn({ file, page, heading }: FollowedPart): Promise<boolean> {
  const code = await codeOf(file);
  const [, name] = /^docs\/(\w+)\.md$/.exec(page) ?? [];
  return code.includes(`'${heading === '' ? name : heading}'`) || code.includes(`## ${heading || page}`);
}

/** The commands in a part of a page. */
async function commandsIn({ page, heading, isOwnOnly = false }: FollowedPart): Promise<readonly string[]> {
  const blocks = (await commandBlocks(page)).filter((block) => block.heading.startsWith(heading));
  const run = isOwnOnly ? blocks.filter(asksPalimpsest) : blocks;
  return run.flatMap(({ text }) => text.split('\n')).flatMap(commandsOf);
}

/** Whether a runner of {@link runners} runs a command. */
async function runs(runner: (typeof runners)[string], command: string): Promise<boolean> {
  if (typeof runner === 'string') return calls(runner, command);
  if ('as' in runner) return calls(runner.file, runner.as);
  return (await isNamedIn(runner)) && (await commandsIn(runner)).includes(command);
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
  const run = await runAltogether();
  return [...(await shownOn(page))].filter((command) => !run.includes(command));
}

/** The commands that a test runs. */
async function runAltogether(): Promise<readonly string[]> {
  return [...Object.keys(runners), ...(await Promise.all(parts.map(commandsIn))).flat()];
}

/** What a list of docs/deploy.md, "What was checked", has in code, as commands. */
async function listed(title: string): Promise<readonly string[]> {
  const guide = `${await readFile('docs/deploy.md', 'utf8')}\n\n**`;
  const [, list = ''] = new RegExp(`\\*\\*${title}\\*\\*:\n\n([\\s\\S]*?)\n\n+\\*\\*`).exec(guide) ?? [];
  expect(list).not.toBe('');
  return [...list.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => commandsOf(code!));
}

it.each([
  ['A=1 B=2 age -d backup.age', ['age']],
  ['A=\'one two\' B= C_3="three" npm run build && D=4 E=5 git pull --all', ['npm run build', 'git pull']],
  ['install -m 600 -o palimpsest  here there   # as root', ['install -m 600 -o palimpsest here there']],
  ['A=$(palimpsest audit check first.json | sed -n 2p)', ['sed -n 2p']],
  ['DATA_DIR=/data EVENTSTORE_URL= palimpsest audit verify', []],
  ['ORGANIZATION_NAME=Analytical Engines', []],
  ['METRICS_TOKEN=<at least 16 characters>', []],
  ['A=1 B=2', []],
])('The commands of the line %s are found', (line, commands) => {
  expect(commandsOf(line)).toEqual(commands);
});

describe('What the guides show and no test runs', () => {
  it('is listed in docs/deploy.md as tried by hand or as never tried, and nothing else is', async () => {
    const byHand = await listed('Tried by hand, not by a test');
    const never = await listed('Never tried');
    const notRun = new Set((await Promise.all(pages.map(notRunOn))).flat());
    const named = [...byHand, ...never];
    expect([...notRun].filter((command) => !named.includes(command))).toEqual([]);
    // What a test runs is not listed, nor what is no longer shown.
    const programs = new Set([...notRun, ...(await runAltogether())].map((command) => command.split(' ')[0]));
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
      if (!(await runs(runner, command))) absent.push(command);
    }
    for (const part of parts) {
      const isRun = (await isNamedIn(part)) && (await commandsIn(part)).length > 0;
      if (!isRun) absent.push(`${part.page}: ${part.heading}`);
    }
    expect(absent).toEqual([]);
  });

  it('is no command in a block that is not marked as shell commands', async () => {
    const blocks = (await Promise.all(pages.map(blocksOf))).flat().filter(({ isShell }) => !isShell);
    const lines = blocks.filter((block) => !asksPalimpsest(block)).flatMap(({ text }) => text.split('\n'));
    const programs = new Set((await runAltogether()).map((command) => command.split(' ')[0]));
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
