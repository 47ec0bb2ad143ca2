import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { z } from 'zod';
import type { Configuration } from '../../config.js';
import { logFile, unfinishedRestoreFile } from '../../stores/store-configuration.js';
import { serverKeyId } from './make-backup.js';
import { BackupRefusedError, digestOf } from './manifest.js';
import { beginRestore, refuseServersHere } from './restored-directory.js';
import { putServerKey, refuseOtherServerKey } from './restored-server-key.js';

/** A backup in the format of an earlier version of this program: a folder with the files of a data directory. */
const folderManifestSchema = z.strictObject({
  format: z.literal('palimpsest-backup'),
  version: z.literal(1),
  /** ISO 8601. */
  madeAt: z.string(),
  files: z.array(z.strictObject({ name: z.string(), bytes: z.number(), sha256: z.string() })),
});

type FolderManifest = z.infer<typeof folderManifestSchema>;

const MANIFEST = 'manifest.json';

/** Whether a folder is a backup in the earlier format. */
export function isBackupFolder(directory: string): boolean {
  return existsSync(join(directory, MANIFEST));
}

/** Which backup is restored, and where to. */
interface FolderRestoreRequest {
  readonly configuration: Pick<
    Configuration,
    'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl' | 'serverKeyFile'
  >;
  readonly directory: string;
  readonly onProgress: (file: string) => void;
}

/**
 * Verifies a backup and copies it into a data directory that is empty, or in which a restore of the same backup was
 * interrupted. No server may run on the directory, and none starts there until the restore is complete: the log
 * gets its final name last.
 *
 * @throws BackupRefusedError
 */
export async function restoreFolder({
  configuration,
  directory,
  onProgress,
}: FolderRestoreRequest): Promise<FolderManifest> {
  const { dataDirectory, serverKeyFile } = configuration;
  refuseServersHere(configuration);
  const manifest = await readManifest(directory);
  for (const file of manifest.files) await verifyFile(directory, file);
  if (manifest.files.some(({ name }) => name === 'server.key'))
    await refuseOtherServerKey(serverKeyFile, await serverKeyId(join(directory, 'server.key')));
  await beginRestore(dataDirectory, await digestOf(join(directory, MANIFEST)));
  const log = logFile(dataDirectory);
  for (const { name } of manifest.files) {
    onProgress(name);
    const target = join(dataDirectory, name);
    const copy = (file: string): Promise<void> => copyDurably(join(directory, name), file);
    if (name === 'server.key') await putServerKey(serverKeyFile, copy);
    else await copy(target === log ? `${log}.restored` : target);
  }
  await rename(`${log}.restored`, log);
  await rm(unfinishedRestoreFile(dataDirectory));
  return manifest;
}

async function copyDurably(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await chmod(to, 0o600);
  await using handle = await open(to, 'r+');
  await handle.sync();
}

async function readManifest(directory: string): Promise<FolderManifest> {
  try {
    return folderManifestSchema.parse(JSON.parse(await readFile(join(directory, MANIFEST), 'utf8')));
  } catch {
    throw new BackupRefusedError(`${directory} holds no backup that "palimpsest backup" finished.`);
  }
}

async function verifyFile(
  directory: string,
  { name, bytes, sha256 }: FolderManifest['files'][number],
): Promise<void> {
  const file = join(directory, name);
  const isInside = !normalize(name).startsWith('..') && !name.startsWith('/');
  const isWhole = isInside && existsSync(file) && (await stat(file)).size === bytes;
  if (isWhole && (await digestOf(file)) === sha256) return;
  throw new BackupRefusedError(`The backup is damaged: ${name} is not what it was.`);
}
