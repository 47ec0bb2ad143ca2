import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import type { Configuration } from '../../config.js';
import { logFile } from '../../stores.js';
import { BackupRefusedError, digestOf, MANIFEST, manifestSchema, type Manifest } from './manifest.js';

/** Which backup is restored, and where to. */
export interface RestoreRequest {
  readonly configuration: Pick<Configuration, 'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl'>;
  readonly directory: string;
  readonly onProgress: (file: string) => void;
}

/**
 * Verifies a backup and copies it into a data directory that has no log yet. No server may run on it.
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
  if (existsSync(logFile(dataDirectory))) {
    throw new BackupRefusedError(
      `There is a log in DATA_DIR ${dataDirectory} already: name another directory.`,
    );
  }
  const manifest = await readManifest(directory);
  for (const file of manifest.files) await verifyFile(directory, file);
  for (const { name } of manifest.files) {
    onProgress(name);
    const target = join(dataDirectory, name);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(join(directory, name), target);
    await chmod(target, 0o600);
  }
  return manifest;
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
