import type { BackupConfiguration } from '../../configuration/backup-configuration.js';
import type { S3Access } from '../../configuration/s3-access.js';
import { openLogToRead } from '../../stores/open-log.js';
import { lockBackups } from './backup-lock.js';
import { expireBackups } from './expire-backups.js';
import { noteBackup } from './last-backup.js';
import { makeBackup, requireEmbeddedStores } from './make-backup.js';
import type { StoreConfiguration } from '../../stores/store-configuration.js';
import { BackupRefusedError, piecesOf, type Manifest } from './manifest.js';
import { openBucketPlace } from './places/bucket-place.js';
import { openFolderPlace } from './places/folder-place.js';
import type { BackupPlace } from './places/place.js';

/**
 * Opens a place.
 *
 * @param address a folder, which is created if it is missing, or `s3://bucket/folder`
 * @throws BackupRefusedError when the address cannot be used as a place
 */
export async function openPlace(address: string, access: S3Access): Promise<BackupPlace> {
  if (!address.startsWith('s3://')) return openFolderPlace(address);
  const [bucket = '', ...folders] = address.slice('s3://'.length).split('/');
  const prefix = folders.filter((folder) => folder !== '').join('/');
  if (bucket === '') throw new BackupRefusedError(`${address} names no bucket: write s3://bucket/folder.`);
  return openBucketPlace({ address, bucket, prefix, access });
}

/** The configuration of a backup, as plain data that can be passed to a thread. */
export interface BackupRun {
  readonly stores: StoreConfiguration;
  readonly backup: Omit<BackupConfiguration, 'to' | 'everySeconds'>;
  /** The place: a folder, or `s3://bucket/folder`. */
  readonly to: string;
  /** Version of the program that makes the backup. */
  readonly program: string;
}

/** The result of a backup. */
export interface BackupOutcome {
  readonly id: string;
  /** ISO 8601. */
  readonly madeAt: string;
  /** The absolute path of the folder, or `s3://bucket/folder`. */
  readonly place: string;
  /** Position of the last event in the backup. */
  readonly position: number;
  /** Size of the whole backup, and of the pieces that were written for it. */
  readonly bytes: number;
  readonly bytesWritten: number;
  /** Ids of the expired backups that were deleted. */
  readonly expired: readonly string[];
}

/**
 * Makes a backup, deletes expired ones, and notes in the data directory that a backup was made.
 *
 * @throws BackupRefusedError, NoLogError, BackupInProgressError when another one of the same data directory is being made
 */
export async function runBackup(
  run: BackupRun,
  onProgress: (file: string) => void = () => undefined,
): Promise<BackupOutcome> {
  requireEmbeddedStores(run.stores);
  const lock = lockBackups(run.stores.dataDirectory);
  try {
    return await runAlone(run, onProgress);
  } finally {
    lock.release();
  }
}

async function runAlone(
  { stores, backup, to, program }: BackupRun,
  onProgress: (file: string) => void,
): Promise<BackupOutcome> {
  const place = await openPlace(to, backup.s3);
  const { recipient, withServerKey, keep, erasedDays } = backup;
  const at = Date.now();
  const manifest = await makeBackup({ stores, place, recipient, withServerKey, program, at, onProgress });
  const log = await openLogToRead(stores);
  try {
    const expired = await expireBackups(place, { keep, erasedDays }, { at, log: log.eventStore });
    const outcome = { ...sizesOf(manifest), place: place.address, expired: expired.map(({ id }) => id) };
    await noteBackup(stores.dataDirectory, outcome);
    return outcome;
  } finally {
    await log.close();
  }
}

function sizesOf(manifest: Manifest): Omit<BackupOutcome, 'place' | 'expired'> {
  const { id, madeAt, log } = manifest;
  const sum = (pieces: ReturnType<typeof piecesOf>): number =>
    pieces.reduce((total, { bytes }) => total + bytes, 0);
  const pieces = piecesOf(manifest);
  const fresh = pieces.filter(({ name }) => name.startsWith(`pieces/${id}/`));
  return { id, madeAt, position: log.position, bytes: sum(pieces), bytesWritten: sum(fresh) };
}
