import { copyFile, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncToDisk } from '../../runtime/data-directory.js';
import type { Configuration } from '../../config.js';
import { logFile, unfinishedRestoreFile } from '../../stores/store-configuration.js';
import { restoreLog } from './log-slices.js';
import { serverKeyId } from './make-backup.js';
import { BackupRefusedError, type Manifest, type Piece } from './manifest.js';
import { PieceReader } from './pieces.js';
import type { BackupPlace } from './places/place.js';
import { beginRestore, refuseServersHere } from './restored-directory.js';
import {
  isKeyPresent,
  putServerKey,
  refuseOtherServerKey,
  refuseUnreadableKey,
} from './restored-server-key.js';

/** Which backup is restored, and where to. */
interface RestoreRequest {
  readonly configuration: Pick<
    Configuration,
    'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl' | 'serverKeyFile'
  >;
  readonly place: BackupPlace;
  readonly manifest: Manifest;
  /** age secret keys; empty for a backup that is not encrypted. */
  readonly identities: readonly string[];
  /** The file with the `server.key` of the backed-up server; null: the backup includes it, or it is in the configured file already. */
  readonly serverKeyFile: string | null;
  readonly onProgress: (file: string) => void;
}

/**
 * Verifies a backup and restores it into a data directory that is empty, or in which a restore of the same backup
 * was interrupted. No server may run on the directory, and none starts there until the restore is complete: the log
 * gets its final name last.
 *
 * @throws BackupRefusedError
 */
export async function restoreBackup(request: RestoreRequest): Promise<void> {
  const { configuration, place, manifest, identities, onProgress } = request;
  const { dataDirectory, serverKeyFile } = configuration;
  refuseServersHere(configuration);
  await refuseOtherServerKey(serverKeyFile, manifest.serverKey.id);
  await refuseWrongServerKey(request);
  await beginRestore(dataDirectory, `${place.address} ${manifest.id}`);
  const reader = new PieceReader(place, identities);
  for (const { name, piece } of manifest.files) {
    onProgress(name);
    const restore = (file: string): Promise<void> => reader.restore(piece, file);
    if (name === 'server.key') await putServerKey(serverKeyFile, restore);
    else await restore(join(dataDirectory, name));
  }
  await giveServerKey(request);
  onProgress('events.sqlite');
  const log = logFile(dataDirectory);
  const { slices, end } = manifest.log;
  await restoreLog(`${log}.restored`, {
    slices,
    fetch: (slice, file) => reader.restore(slice.piece, file),
    record: end === null ? null : await bytesOf(reader, end, `${log}.end`),
  });
  await syncToDisk(`${log}.restored`);
  await rename(`${log}.restored`, log);
  await rm(unfinishedRestoreFile(dataDirectory));
  await syncToDisk(dataDirectory);
}

/** Checked before anything is written, because another key decrypts nothing of the backup. */
async function refuseWrongServerKey(request: RestoreRequest): Promise<void> {
  const { manifest, serverKeyFile, configuration } = request;
  const { id, included } = manifest.serverKey;
  if (serverKeyFile === null) {
    if (included || isKeyPresent(configuration.serverKeyFile)) return;
    throw new BackupRefusedError(
      'server.key is not in this backup: name the file that it is in, --server-key FILE.',
    );
  }
  refuseUnreadableKey(serverKeyFile);
  if ((await serverKeyId(serverKeyFile)) === id) return;
  throw new BackupRefusedError(
    `${serverKeyFile} is not the key that the backup was made under: name the one that the server had then.`,
  );
}

async function giveServerKey({ configuration, serverKeyFile }: RestoreRequest): Promise<void> {
  if (serverKeyFile === null) return;
  await putServerKey(configuration.serverKeyFile, (file) => copyFile(serverKeyFile, file));
}

async function bytesOf(reader: PieceReader, piece: Piece, file: string): Promise<Uint8Array> {
  await reader.restore(piece, file);
  const bytes = await readFile(file);
  await rm(file);
  return bytes;
}
