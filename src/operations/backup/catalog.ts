import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BackupRefusedError, manifestSchema, type Manifest } from './manifest.js';
import type { BackupPlace } from './places/place.js';

const FOLDER = 'backups';

/** Manifest names, oldest backup first: each id begins with the time of the backup. */
async function manifestNames(place: BackupPlace): Promise<readonly string[]> {
  return (await place.list(FOLDER)).filter((name) => name.endsWith('.json')).toSorted();
}

/** All complete backups, oldest first. @throws BackupRefusedError for a manifest that cannot be read */
export async function readManifests(place: BackupPlace): Promise<readonly Manifest[]> {
  const manifests: Manifest[] = [];
  for (const name of await manifestNames(place)) manifests.push(await readManifest(place, name));
  return manifests;
}

/** The newest backup; null: there is none. @throws BackupRefusedError */
export async function newestManifest(place: BackupPlace): Promise<Manifest | null> {
  const name = (await manifestNames(place)).at(-1);
  return name === undefined ? null : readManifest(place, name);
}

/**
 * The backup that an operator named, or else the newest one.
 *
 * @throws BackupRefusedError when it does not exist
 */
export async function chosenManifest(place: BackupPlace, id: string | undefined): Promise<Manifest> {
  if (id !== undefined) {
    const name = manifestName(id);
    if ((await manifestNames(place)).includes(name)) return readManifest(place, name);
    throw new BackupRefusedError(`There is no backup ${id} at ${place.address}: "backup list" names them.`);
  }
  const newest = await newestManifest(place);
  if (newest !== null) return newest;
  throw new BackupRefusedError(`There is no backup at ${place.address} that "palimpsest backup" finished.`);
}

/** Writes the manifest, as the last file of a backup: only now the backup exists. */
export async function writeManifest(place: BackupPlace, manifest: Manifest, staging: string): Promise<void> {
  const file = join(staging, 'manifest');
  await writeFile(file, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
  await place.put(manifestName(manifest.id), file);
  await rm(file);
}

/** Deletes the manifest before its pieces: without it the backup does not exist, even if pieces are left. */
export function deleteManifest(place: BackupPlace, { id }: Manifest): Promise<void> {
  return place.delete(manifestName(id));
}

function manifestName(id: string): string {
  return `${FOLDER}/${id}.json`;
}

async function readManifest(place: BackupPlace, name: string): Promise<Manifest> {
  const written = await text(await place.read(name));
  try {
    return manifestSchema.parse(JSON.parse(written));
  } catch (cause) {
    throw new BackupRefusedError(
      `The backup is damaged: ${name} at ${place.address} is no list of its parts`,
      {
        cause,
      },
    );
  }
}
