import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import Database from 'libsql';
import { logFile, requireLog, type StoreConfiguration } from '../../stores/store-configuration.js';
import { openingFile } from '../../stores/sqlite/database-file.js';
import { isDiskFull } from '../../runtime/operator-errors.js';
import { newestManifest, writeManifest } from './catalog.js';
import { makeStagingFolder } from './backup-lock.js';
import { LogRows } from './log-slices.js';
import { BackupRefusedError, type LogSlice, type Manifest } from './manifest.js';
import { PieceWriter } from './pieces.js';
import type { BackupPlace } from './places/place.js';

/** Which stores are backed up, to which place, and how. */
interface BackupRequest {
  readonly stores: StoreConfiguration;
  readonly place: BackupPlace;
  /** The age public key that everything is encrypted to; null: no encryption. */
  readonly recipient: string | null;
  /** Whether `server.key` and `seal.key` are included: then the backup alone is enough to read everything. */
  readonly withServerKey: boolean;
  /** Version of the program that makes the backup. */
  readonly program: string;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
  readonly onProgress: (file: string) => void;
}

/** The request with the working state of one backup. */
interface Run extends BackupRequest {
  readonly staging: string;
  readonly pieces: PieceWriter;
  /** The previous backup, whose unchanged pieces are reused; null: no backup can be continued. */
  readonly earlier: Manifest | null;
}

/**
 * Copies the embedded stores while the server runs, in this order: the reactors' checkpoints, the events since the
 * last backup in this place, the keys and credentials, then new uploaded files. In this order nothing that is
 * copied refers to something that is missing from the backup. Read models are left out, because a restored server
 * rebuilds them. Every backup contains all keys: without them the log slices cannot be read, so an erasure is
 * complete as soon as the last backup from before it is deleted. The caller must hold the lock of the backups.
 *
 * @throws BackupRefusedError
 */
export async function makeBackup(request: BackupRequest): Promise<Manifest> {
  const { stores, place } = request;
  const staging = await makeStagingFolder(stores.dataDirectory);
  try {
    return await copyStores(request, staging);
  } catch (error) {
    if (!(error instanceof Error) || !isDiskFull(error)) throw error;
    throw new BackupRefusedError(
      `There is no room for the backup at ${place.address} or in DATA_DIR: make some, and try again.`,
    );
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function copyStores(request: BackupRequest, staging: string): Promise<Manifest> {
  const { stores, place, recipient, withServerKey, at, program } = request;
  const madeAt = new Date(at).toISOString();
  const id = madeAt.replaceAll(/[:.]/g, '-');
  const newest = await newestManifest(place);
  const run: Run = {
    ...request,
    staging,
    pieces: new PieceWriter(place, { backupId: id, recipient, staging }),
    // A single secret key must decrypt the whole backup.
    earlier: newest?.recipient === recipient ? newest : null,
  };
  const checkpoints = await copyDatabases(run, await checkpointFiles(stores.dataDirectory));
  const log = await copyLog(run);
  const secrets = await copyDatabases(run, ['keys.sqlite', 'credentials.sqlite']);
  const manifest: Manifest = {
    format: 'palimpsest-backup',
    version: 2,
    id,
    madeAt,
    program,
    recipient,
    serverKey: { id: await serverKeyId(stores.serverKeyFile), included: withServerKey },
    log,
    files: [...checkpoints, ...secrets, ...(await copyServerKeys(run)), ...(await copyUploads(run))],
  };
  await writeManifest(place, manifest, staging);
  return manifest;
}

/**
 * Checks that there are stores that can be backed up.
 *
 * @throws BackupRefusedError, NoLogError
 */
export function requireEmbeddedStores(stores: StoreConfiguration): void {
  if (stores.eventStoreUrl === null && stores.mongodbUrl === null) return requireLog(stores);
  throw new BackupRefusedError(
    'Only embedded stores are backed up: EventStoreDB and MongoDB have tools of their own, and "audit export" copies a log from anywhere.',
  );
}

/** An id that distinguishes server keys and reveals nothing else about them. */
export async function serverKeyId(file: string): Promise<string> {
  const key = (await readFile(file, 'utf8')).trim();
  return createHash('sha256').update(`palimpsest backup ${key}`).digest('hex').slice(0, 16);
}

/** Files in the read models' folder other than models: reactors' checkpoints, operators' settings, and the leases. */
async function checkpointFiles(dataDirectory: string): Promise<readonly string[]> {
  const folder = join(dataDirectory, 'models');
  if (!existsSync(folder)) return [];
  const kept = /^(?:reactor-.+|operations)__v\d+\.sqlite$|^engine\.sqlite$/;
  const names = (await readdir(folder)).filter((name) => kept.test(name));
  return names.toSorted().map((name) => `models/${name}`);
}

async function copyDatabases(run: Run, names: readonly string[]): Promise<Manifest['files']> {
  const { stores, staging, pieces, onProgress } = run;
  const files: Manifest['files'] = [];
  for (const name of names.filter((one) => existsSync(join(stores.dataDirectory, one)))) {
    onProgress(name);
    const copy = join(staging, 'snapshot.sqlite');
    await snapshot(join(stores.dataDirectory, name), copy);
    if (name === 'models/engine.sqlite') forgetModels(copy);
    files.push({ name, piece: await pieces.write(copy) });
    await rm(copy);
  }
  return files;
}

/** Copies a database without its free pages, which may still contain deleted rows. @throws UnreadableFileError */
async function snapshot(from: string, to: string): Promise<void> {
  openingFile(from, () => {
    const database = new Database(from, { timeout: 10_000 });
    try {
      database.prepare('VACUUM INTO ?').run(to);
    } finally {
      database.close();
    }
  });
  await chmod(to, 0o600);
}

/** Makes every model count as not built, so that none serves before it is rebuilt. */
function forgetModels(engineFile: string): void {
  const database = new Database(engineFile);
  try {
    database.exec('DELETE FROM serving');
  } finally {
    database.close();
  }
}

async function copyLog(run: Run): Promise<Manifest['log']> {
  const { stores, staging, pieces, earlier, onProgress } = run;
  onProgress('events.sqlite');
  const rows = LogRows.open(logFile(stores.dataDirectory));
  try {
    const { position, record } = rows.end();
    const { kept, added } = rows.plan(earlier?.log.slices ?? [], position);
    const slices: LogSlice[] = [...kept];
    for (const bounds of added) {
      const copy = join(staging, 'slice.sqlite');
      rows.copy(bounds, copy);
      slices.push({ ...bounds, piece: await pieces.write(copy) });
      await rm(copy);
    }
    return { position, slices, end: record === null ? null : await writeBytes(run, record) };
  } finally {
    rows.close();
  }
}

async function writeBytes({ staging, pieces }: Run, bytes: Uint8Array): Promise<Manifest['log']['end']> {
  const file = join(staging, 'bytes');
  await writeFile(file, bytes, { mode: 0o600 });
  return pieces.write(file);
}

async function copyServerKeys({
  stores,
  pieces,
  withServerKey,
  onProgress,
}: Run): Promise<Manifest['files']> {
  if (!withServerKey) return [];
  const files: Manifest['files'] = [];
  for (const [from, name] of [
    [stores.serverKeyFile, 'server.key'],
    [join(stores.dataDirectory, 'seal.key'), 'seal.key'],
  ] as const) {
    if (!existsSync(from)) continue;
    onProgress(name);
    files.push({ name, piece: await pieces.write(from) });
  }
  return files;
}

/** The content behind a file name never changes, so that each file is copied only once. */
async function copyUploads({ stores, pieces, earlier, onProgress }: Run): Promise<Manifest['files']> {
  const folder = join(stores.dataDirectory, 'files');
  if (!existsSync(folder)) return [];
  const present = new Map((earlier?.files ?? []).map(({ name, piece }) => [name, piece]));
  const files: Manifest['files'] = [];
  onProgress('files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const name = `files/${relative(folder, path)}`;
    try {
      files.push({
        name,
        piece: present.get(name) ?? (await pieces.write(path, { compress: false })),
      });
    } catch (error) {
      // The upload was deleted meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || existsSync(path)) throw error;
    }
  }
  return files;
}
