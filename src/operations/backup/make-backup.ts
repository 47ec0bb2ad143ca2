import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import type { Configuration } from '../../config.js';
import { isAboutRoom } from '../../runtime/operator-errors.js';
import { requireLog } from '../../stores/stores.js';
import { BackupRefusedError, digestOf, MANIFEST, type Manifest } from './manifest.js';

/** Which stores are backed up, and where to. */
export interface BackupRequest {
  readonly configuration: Pick<
    Configuration,
    'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl' | 'serverKeyFile'
  >;
  /** A folder that is not there yet. */
  readonly directory: string;
  /** ISO 8601. */
  readonly madeAt: string;
  readonly onProgress: (file: string) => void;
}

/**
 * Copies embedded stores while the server goes on: how far reactors have come first, then the log, then the keys and credentials,
 * so that nothing that is copied knows of anything that is not. Each file is a snapshot without free pages. Read models are
 * left out: they are built anew.
 *
 * @throws BackupRefusedError, NoLogError
 */
export async function makeBackup(request: BackupRequest): Promise<Manifest> {
  const { configuration, directory } = request;
  refuseServers(configuration);
  if (existsSync(directory))
    throw new BackupRefusedError(`${directory} is there already: name a new folder.`);
  requireLog(configuration);
  try {
    return await copyStores(request);
  } catch (error) {
    // What was begun would stand in the way of the next one.
    await rm(directory, { recursive: true, force: true });
    if (!(error instanceof Error) || !isAboutRoom(error)) throw error;
    throw new BackupRefusedError(
      `There is no room for the backup at ${directory}: make some, and try again.`,
    );
  }
}

async function copyStores({
  configuration,
  directory,
  madeAt,
  onProgress,
}: BackupRequest): Promise<Manifest> {
  const { dataDirectory, serverKeyFile } = configuration;
  await mkdir(join(directory, 'models'), { recursive: true, mode: 0o700 });
  const names = [
    ...(await checkpointFiles(dataDirectory)),
    'events.sqlite',
    'keys.sqlite',
    'credentials.sqlite',
  ];
  for (const name of names.filter((one) => existsSync(join(dataDirectory, one)))) {
    onProgress(name);
    await snapshot(join(dataDirectory, name), join(directory, name));
  }
  await forgetModels(join(directory, 'models', 'engine.sqlite'));
  for (const [from, name] of [
    [serverKeyFile, 'server.key'],
    [join(dataDirectory, 'seal.key'), 'seal.key'],
    [join(dataDirectory, 'files'), 'files'],
  ] as const) {
    onProgress(name);
    if (existsSync(from)) await cp(from, join(directory, name), { recursive: true });
  }
  const manifest = {
    format: 'palimpsest-backup',
    version: 1,
    madeAt,
    files: await filesIn(directory),
  } as const;
  await writeFile(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  return manifest;
}

function refuseServers({ eventStoreUrl, mongodbUrl }: BackupRequest['configuration']): void {
  if (eventStoreUrl === null && mongodbUrl === null) return;
  throw new BackupRefusedError(
    'Only embedded stores are backed up: EventStoreDB and MongoDB have tools of their own, and "audit export" copies a log from anywhere.',
  );
}

/** How far reactors have come, what operators want, and who writes: all that the models' folder holds beside models. */
async function checkpointFiles(dataDirectory: string): Promise<readonly string[]> {
  const folder = join(dataDirectory, 'models');
  if (!existsSync(folder)) return [];
  const kept = /^(?:reactor-.+|operations)__v\d+\.sqlite$|^engine\.sqlite$/;
  return (await readdir(folder)).filter((name) => kept.test(name)).map((name) => join('models', name));
}

/** A snapshot without free pages: what was deleted is not in it. */
async function snapshot(from: string, to: string): Promise<void> {
  const database = new Database(from, { timeout: 10_000 });
  try {
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
  await chmod(to, 0o600);
}

/** No version of any model serves until one was built. */
async function forgetModels(engineFile: string): Promise<void> {
  if (!existsSync(engineFile)) return;
  const database = new Database(engineFile);
  try {
    database.exec('DELETE FROM serving');
  } finally {
    database.close();
  }
}

async function filesIn(directory: string): Promise<Manifest['files']> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files: Manifest['files'] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const { size } = await stat(path);
    files.push({ name: path.slice(directory.length + 1), bytes: size, sha256: await digestOf(path) });
  }
  return files.sort((one, other) => (one.name < other.name ? -1 : 1));
}
