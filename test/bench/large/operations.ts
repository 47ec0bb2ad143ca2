import { execFile } from 'node:child_process';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'libsql';
import { secondsOf } from '../support/rounds.js';
import type { Bystanders } from './bystanders.js';
import { missedBound, rounded, type Bounds, type Finding } from './findings.js';
import type { Installation } from './on-servers.js';
import { missedByOthers, othersOf, type Measuring } from './requests-measured.js';

const tool = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url));

/**
 * Operators' commands while a server runs, with their arguments. Backups are only for embedded stores: database
 * servers have their own.
 */
export function operatorTasks({
  folder,
  environment,
}: Installation): readonly { readonly what: string; readonly parameters: readonly string[] }[] {
  const isEmbedded = Object.keys(environment).length === 0;
  return [
    { what: 'rebuild every model', parameters: ['projections', 'rebuild', '--all'] },
    { what: 'verify the log', parameters: ['audit', 'verify'] },
    ...(isEmbedded ? [{ what: 'back up', parameters: ['backup', join(folder, 'backup')] }] : []),
  ];
}

/**
 * Runs the command line on a data directory, as an operator does.
 *
 * @param environment the addresses of stores on servers; absent: all stores are in the folder
 * @throws Error when the command fails
 */
export async function runTool(
  folder: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, [tool, ...parameters], { env });
  return stdout;
}

/** Times an operator's command, and the bystanders meanwhile. */
export async function measureOperation(
  { folder, environment }: Installation,
  { what, parameters }: ReturnType<typeof operatorTasks>[number],
  measuring: Pick<Measuring, 'idle' | 'bounds'> & { readonly bystanders: Bystanders },
): Promise<Finding> {
  await measuring.bystanders.take();
  const seconds = await secondsOf(async () => void (await runTool(folder, parameters, environment)));
  const meanwhile = await measuring.bystanders.take();
  await rm(join(folder, 'backup'), { recursive: true, force: true });
  return {
    what,
    result: `${rounded(seconds)} s`,
    others: othersOf(meanwhile),
    missed: missedByOthers(meanwhile, measuring),
  };
}

/** The size of a stopped server's stores in bytes per message, as a whole and for each index. */
export async function measureBytes(
  folder: string,
  messages: number,
  bounds: Bounds,
): Promise<readonly Finding[]> {
  const models = join(folder, 'models');
  const serving = (await readdir(models)).filter((name) => /^messages__v\d+\.sqlite$/.test(name));
  const [model = ''] = (
    await Promise.all(serving.map(async (name) => ({ name, at: (await stat(join(models, name))).mtimeMs })))
  )
    .sort((one, other) => other.at - one.at)
    .map(({ name }) => name);
  return [
    ...bytesOf('log', { file: join(folder, 'events.sqlite'), messages, atMost: bounds.logBytes }),
    ...bytesOf('keys', { file: join(folder, 'keys.sqlite'), messages, atMost: null }),
    ...bytesOf('messages model', { file: join(models, model), messages, atMost: bounds.modelBytes }),
  ];
}

/** Parts that take less are not listed separately. */
const LEAST_BYTES = 5;

interface MeasuredFile {
  readonly file: string;
  readonly messages: number;
  readonly atMost: number | null;
}

function bytesOf(what: string, { file, messages, atMost }: MeasuredFile): readonly Finding[] {
  const database = new Database(file, { readonly: true });
  try {
    const select = 'SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC';
    const parts = database.prepare(select).raw().all() as [name: string, bytes: number][];
    const total = parts.reduce((sum, [, bytes]) => sum + bytes, 0) / messages;
    const whole = finding(`bytes a message: ${what}`, total);
    const missed = atMost === null ? [] : missedBound(what, total, atMost);
    const large = parts.filter(([, bytes]) => bytes / messages >= LEAST_BYTES);
    return [
      { ...whole, missed },
      ...large.map(([name, bytes]) => finding(`  of it ${name}`, bytes / messages)),
    ];
  } finally {
    database.close();
  }
}

function finding(what: string, bytes: number): Finding {
  return { what, result: `${rounded(bytes)} B`, others: '', missed: [] };
}
