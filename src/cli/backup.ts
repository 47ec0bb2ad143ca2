import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Configuration } from '../config.js';
import { lockDataDirectory } from '../node/data-directory-lock.js';
import { chosenManifest, readManifests } from '../operations/backup/catalog.js';
import { erasuresAfter, firstErasureSince, type Erasure } from '../operations/backup/erasures-in-log.js';
import { BackupRefusedError, piecesOf, type Manifest } from '../operations/backup/manifest.js';
import { readIdentities } from '../operations/backup/pieces.js';
import { openPlace, runBackup } from '../operations/backup/run-backup.js';
import type { BackupPlace } from '../operations/backup/places/place.js';
import { restoreBackup } from '../operations/backup/restore-backup.js';
import { isBackupFolder, restoreFolder } from '../operations/backup/restore-folder.js';
import { verifyBackup } from '../operations/backup/verify-backup.js';
import { programVersion } from '../operations/program-version.js';
import { openLogToRead } from '../stores/open-log.js';
import { isLogHere } from '../stores/store-configuration.js';
import { exitCodes, MisusedError, type CommandAction } from './command.js';
import { backupsFrom } from '../configuration/backup-configuration.js';

/** The options that select a backup place. */
interface PlaceParameters {
  readonly place?: string;
}

/** The options that select one backup. */
export interface ChosenBackupParameters extends PlaceParameters {
  readonly backup?: string;
  readonly identity?: string;
  readonly serverKey?: string;
}

/** The arguments and options of `palimpsest backup`. */
interface BackupParameters extends PlaceParameters {
  readonly recipient?: string;
  readonly withServerKey?: boolean;
}

/** What `palimpsest backup` does. */
export const backUp: CommandAction<BackupParameters> = async (parameters, { configuration, terminal }) => {
  const { recipient, withServerKey = configuration.backup.withServerKey } = parameters;
  const checked =
    recipient === undefined ? null : backupsFrom((name) => (name === 'BACKUP_RECIPIENT' ? recipient : null));
  const backup = {
    ...configuration.backup,
    withServerKey,
    recipient: checked?.recipient ?? configuration.backup.recipient,
  };
  const to = placeOf(parameters, configuration);
  const run = { stores: configuration, backup, to, program: programVersion() };
  const outcome = await runBackup(run, (file) => terminal.say(`Copying ${file}`));
  const { id, place, position, bytesWritten, expired } = outcome;
  const key = withServerKey
    ? 'with server.key: keep it safe'
    : 'without server.key: keep that, or its copy, elsewhere';
  const gone = expired.length === 0 ? '' : ` Gone are ${expired.join(', ')}.`;
  const said = `Backed up as ${id} to ${place}, up to event ${position}, ${bytesWritten} new bytes, ${key}.${gone}`;
  await terminal.print(terminal.json ? JSON.stringify(outcome) : said);
  return exitCodes.done;
};

/** What `palimpsest backup list` does. */
export const listBackups: CommandAction<PlaceParameters> = async (
  parameters,
  { configuration, terminal },
) => {
  const place = await openConfiguredPlace(parameters, configuration);
  const manifests = await readManifests(place);
  const erasures = await knownErasures(manifests, configuration);
  for (const manifest of manifests) {
    const line = listed(manifest, erasures);
    await terminal.print(terminal.json ? JSON.stringify(line) : formatBackup(line));
  }
  if (manifests.length === 0) terminal.say(`There is no backup at ${place.address}.`);
  if (erasures === null)
    terminal.say('There is no log in DATA_DIR, so nobody can tell which may hold what was erased.');
  return exitCodes.done;
};

interface ListedBackup {
  readonly id: string;
  readonly madeAt: string;
  readonly position: number;
  readonly bytes: number;
  readonly recipient: string | null;
  readonly withServerKey: boolean;
  /** Time (ISO 8601) of the first erasure after the backup; null: there is none; absent: there is no log to read erasures from. */
  readonly olderThanErasureOf?: string | null;
}

function listed(manifest: Manifest, erasures: readonly Erasure[] | null): ListedBackup {
  const erasure = erasures === null ? undefined : firstErasureSince(manifest, erasures);
  return {
    id: manifest.id,
    madeAt: manifest.madeAt,
    position: manifest.log.position,
    bytes: piecesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0),
    recipient: manifest.recipient,
    withServerKey: manifest.serverKey.included,
    ...(erasures !== null && {
      olderThanErasureOf: erasure === undefined ? null : new Date(erasure.at).toISOString(),
    }),
  };
}

function formatBackup({
  id,
  position,
  bytes,
  recipient,
  withServerKey,
  olderThanErasureOf,
}: ListedBackup): string {
  const remarks = [
    recipient === null ? 'not encrypted' : 'encrypted',
    withServerKey ? 'with server.key' : [],
    olderThanErasureOf ? `may hold what was erased from ${olderThanErasureOf} on` : [],
  ].flat();
  return `${id}  up to event ${position}  ${bytes} bytes  ${remarks.join(', ')}`;
}

/** Null: there is no log to read. */
async function knownErasures(
  manifests: readonly Manifest[],
  configuration: Configuration,
): Promise<readonly Erasure[] | null> {
  if (!isLogHere(configuration.dataDirectory)) return null;
  const stores = await openLogToRead(configuration);
  try {
    return await erasuresAfter(stores.eventStore, manifests[0]?.log.position ?? 0);
  } finally {
    await stores.close();
  }
}

/** What `palimpsest backup verify` does. */
export const verify: CommandAction<ChosenBackupParameters> = async (
  parameters,
  { configuration, terminal },
) => {
  const place = await openConfiguredPlace(parameters, configuration);
  const manifest = await chosenManifest(place, parameters.backup);
  const total = piecesOf(manifest).length;
  const progress = terminal.progress(`Reading ${manifest.id}`, total);
  const faults = await verifyBackup(place, manifest, (pieces) => progress.set(pieces, pieces / total));
  progress.end();
  if (terminal.json) await terminal.print(JSON.stringify({ id: manifest.id, pieces: total, faults }));
  else {
    for (const fault of faults) await terminal.print(fault);
    const verdict = faults.length === 0 ? 'Nothing is amiss.' : `${faults.length} faults were found.`;
    await terminal.print(`${manifest.id}: ${total} parts were read. ${verdict}`);
  }
  return faults.length === 0 ? exitCodes.done : exitCodes.faultsFound;
};

/** What `palimpsest restore` does. */
export const restore: CommandAction<ChosenBackupParameters> = async (
  parameters,
  { configuration, terminal },
) => {
  const lock = lockDataDirectory(configuration.dataDirectory);
  const onProgress = (file: string): void => terminal.say(`Restoring ${file}`);
  try {
    const directory = resolve(placeOf(parameters, configuration));
    if (isBackupFolder(directory)) {
      const manifest = await restoreFolder({ configuration, directory, onProgress });
      await terminal.print(
        terminal.json ? JSON.stringify(manifest) : `Restored the backup of ${manifest.madeAt}.`,
      );
      return exitCodes.done;
    }
    const place = await openConfiguredPlace(parameters, configuration);
    const manifest = await chosenManifest(place, parameters.backup);
    const { identity, serverKey } = parameters;
    await restoreBackup({
      configuration,
      place,
      manifest,
      identities: identity === undefined ? [] : await readIdentities(identity),
      serverKeyFile: serverKey === undefined ? null : resolve(serverKey),
      onProgress,
    });
    const said = `Restored the backup of ${manifest.madeAt}. What it had yet to send is sent by the next start, unless REACTORS=off.`;
    await terminal.print(terminal.json ? JSON.stringify(manifest) : said);
    return exitCodes.done;
  } finally {
    lock.release();
  }
};

/** @throws BackupRefusedError when no place is configured */
export async function openConfiguredPlace(
  parameters: PlaceParameters,
  configuration: Configuration,
): Promise<BackupPlace> {
  const address = placeOf(parameters, configuration);
  if (!address.startsWith('s3://') && !existsSync(address)) {
    throw new BackupRefusedError(`There is no folder ${resolve(address)} to restore from.`);
  }
  return openPlace(address, configuration.backup.s3);
}

function placeOf({ place }: PlaceParameters, { backup }: Configuration): string {
  const address = place ?? backup.to;
  if (address !== null) return address;
  throw new MisusedError('Name a folder or s3://bucket/folder, or set BACKUP_TO.');
}
