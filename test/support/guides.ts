import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The documents with commands to type. */
export const guides = [
  'README.md',
  'docs/audit.md',
  'docs/deploy.md',
  'docs/operate.md',
  'docs/servers.md',
  'docs/upgrade.md',
];

/** A block of commands in a document. */
export interface ShownBlock {
  readonly page: string;
  /** The heading above it. */
  readonly heading: string;
  /** Whether it is marked as shell commands (`sh`). */
  readonly isShell: boolean;
  readonly text: string;
}

/** The fenced blocks of a document, in order. */
export async function blocksOf(page: string): Promise<readonly ShownBlock[]> {
  const source = await readFile(page, 'utf8');
  const parts = source.matchAll(
    /^#+ (?<title>.*)$|^(?<indent> *)```(?<mark>\w*)\n(?<text>[\s\S]*?)^\k<indent>```$/gm,
  );
  let heading = '';
  const blocks: ShownBlock[] = [];
  for (const { groups } of parts) {
    const { title, indent, mark, text } = groups!;
    if (title !== undefined) heading = title;
    else
      blocks.push({
        page,
        heading,
        isShell: mark === 'sh',
        text: text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      });
  }
  return blocks;
}

/** Whether the commands run this program by its name. */
export function asksPalimpsest({ text }: Pick<ShownBlock, 'text'>): boolean {
  return /^(?:[A-Z_]+=\S+ )*(?:npx )?palimpsest /m.test(text);
}

/** Commands for an installation with systemd, in folders of a test and for the user who runs it. */
export function asHere(
  commands: string,
  { data, there }: { readonly data: string; readonly there: string },
): string {
  return commands
    .replaceAll('/var/lib/palimpsest/', `${data}/`)
    .replaceAll('/var/lib/', `${there}/`)
    .replaceAll(' /backup/', ` ${there}/`)
    .replaceAll('-o palimpsest ', `-o ${userInfo().uid} `);
}

/**
 * Runs commands one after the other, until one fails.
 *
 * @returns their output
 */
export async function runCommands(
  commands: string,
  {
    folder,
    environment,
  }: { readonly folder: string; readonly environment: Readonly<Record<string, string>> },
): Promise<string> {
  const entry = resolve('dist/src/cli/main.js');
  const program = `palimpsest() { "${process.execPath}" "${entry}" "$@"; }\nnpx() { "$@"; }`;
  const env = { PATH: process.env['PATH'] ?? '', TMPDIR: process.env['TMPDIR'] ?? '/tmp', ...environment };
  const { stdout } = await run('bash', ['-e', '-u', '-c', `${program}\n${commands}`], { cwd: folder, env });
  return stdout;
}

/** Programs whose first words, apart from options, say what they do: so many words are compared, with the program. */
const WORDS_OF_PROGRAMS: Readonly<Record<string, number>> = {
  'apt-get': 2,
  caddy: 2,
  certbot: 2,
  docker: 3,
  git: 2,
  npm: 2,
  'npm run': 3,
  npx: 2,
  pip: 2,
  systemctl: 2,
};

/** Programs that do what all of their arguments say: the whole command is compared. */
const wholePrograms: ReadonlySet<string> = new Set(['cp', 'curl', 'install', 'mkdir', 'rm', 'sed', 'tar']);

/** Variables that are set for a command, or alone. */
const ASSIGNMENTS = /^(?:[A-Z][A-Z\d_]*=(?:'[^']*'|"[^"]*"|[^\s'"<]*)(?:\s+|$))+/;

/**
 * The commands of a shell line: each program with its subcommand, such as `npm run build`, or with all its arguments. A line of a file of
 * variables has none: programs are written in lower case.
 */
export function commandsOf(line: string): readonly string[] {
  return line
    .replace(/(^|\s+)#.*/, '')
    .replace(/^[A-Z_]+=\$\((.*)\)$/, '$1')
    .split(/&&|\|/)
    .map((part) => part.trim().replace(ASSIGNMENTS, '').split(/\s+/))
    .filter(([program]) => !/^(?:$|[A-Z])/.test(program!))
    .map(comparedWords)
    .map((words) => words.join(' '))
    .filter((command) => !/^(?:cd|npx palimpsest|palimpsest)$/.test(command));
}

function comparedWords(all: readonly string[]): readonly string[] {
  if (wholePrograms.has(all[0]!)) return all;
  const words = all.filter((word) => !word.startsWith('-'));
  const count = WORDS_OF_PROGRAMS[words.slice(0, 2).join(' ')] ?? WORDS_OF_PROGRAMS[words[0]!] ?? 1;
  return words.slice(0, count);
}
