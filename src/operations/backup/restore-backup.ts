import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';
import type { Configuration } from '../../config.js';
import { logFile, unfinishedRestoreFile } from '../../stores/stores.js';
import { BackupRefusedError, digestOf, MANIFEST, manifestSchema, type Manifest } from './manifest.js';

/** Which backup is restored, and where to. */
export interface RestoreRequest {
  readonly configuration: Pick<Configuration, 'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl'>;
  readonly directory: string;
  readonly onProgress: (file: string) => void;
}

/**
 * Verifies a backup and copies it into a data directory that is empty, or that a restore of the same backup was cut off in. No
 * server may run on it, and none starts there before everything is copied: the log gets its name last.
 *
 * @throws BackupRefusedError
 */
export async function restoreBackup({
  configuration,
  directory,
  onProgress,
}: RestoreRequest): Promise<Manifest> {
  const { dataDirectory, eventStoreUrl, mongodbUrl } = configuration;
  if (eventStoreUrl !== null || mongodbUrl !== null) {
    throw new BackupRefusedError(
      'A backup is restored into embedded stores: unset EVENTSTORE_URL and MONGODB_URL.',
    );
  }
  if (!existsSync(directory))
    throw new BackupRefusedError(`There is no folder ${directory} to restore from.`);
  const manifest = await readManifest(directory);
  const identity = await digestOf(join(directory, MANIFEST));
  await refuseUsed(dataDirectory, identity);
  for (const file of manifest.files) await verifyFile(directory, file);
  const marker = unfinishedRestoreFile(dataDirectory);
  await writeDurably(marker, identity);
  const log = logFile(dataDirectory);
  for (const { name } of manifest.files) {
    onProgress(name);
    const target = join(dataDirectory, name);
    await copyDurably(join(directory, name), target === log ? `${log}.restored` : target);
  }
  await rename(`${log}.restored`, log);
  await rm(marker);
  return manifest;
}

/** What a mounted file system and the lock of this process put into a directory. */
const ALWAYS_THERE = /^lost\+found$|^lock\.sqlite/;

/** Anything else would be mixed with what is restored. */
async function refuseUsed(dataDirectory: string, identity: string): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const found = (await readdir(dataDirectory)).filter((name) => !ALWAYS_THERE.test(name));
  if (found.length === 0) return;
  const marker = unfinishedRestoreFile(dataDirectory);
  if (!found.includes(basename(marker))) {
    throw new BackupRefusedError(
      `DATA_DIR ${dataDirectory} is not empty (${found[0]} is there): name a new directory.`,
    );
  }
  if ((await readFile(marker, 'utf8')) === identity) return;
  throw new BackupRefusedError(
    `A restore of another backup into DATA_DIR ${dataDirectory} was cut off: finish that one, or name a new directory.`,
  );
}

async function copyDurably(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await chmod(to, 0o600);
  await using handle = await open(to, 'r+');
  await handle.sync();
}

async function writeDurably(file: string, text: string): Promise<void> {
  await using handle = await open(file, 'w', 0o600);
  await handle.writeFile(text);
  await handle.sync();
}

async function readManifest(directory: string): Promise<Manifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(join(directory, MANIFEST), 'utf8')));
  } catch {
    throw new BackupRefusedError(`${directory} holds no backup that "palimpsest backup" finished.`);
  }
}

async function verifyFile(
  directory: string,
  { name, bytes, sha256 }: Manifest['files'][number],
): Promise<void> {
  const file = join(directory, name);
  const isInside = !normalize(name).startsWith('..') && !name.startsWith('/');
  const isWhole = isInside && existsSync(file) && (await stat(file)).size === bytes;
  if (isWhole && (await digestOf(file)) === sha256) return;
  throw new BackupRefusedError(`The backup is damaged: ${name} is not what it was.`);
}
