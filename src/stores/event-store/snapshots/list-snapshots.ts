import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openSnapshot } from './snapshot-file.js';
import { snapshotsDirectory } from './snapshots.js';

/** A snapshot as reported to operators. */
export interface SnapshotReport {
  readonly fold: string;
  readonly version: number;
  readonly stream: string;
  /** Of the last event in it. */
  readonly revision: number;
  /** ISO 8601. */
  readonly writtenAt: string;
  readonly bytes: number;
}

const ENDING = '.snapshot';

/** The snapshots in a directory, sorted by name; other files are ignored. */
export async function listSnapshots(directory: string): Promise<readonly SnapshotReport[]> {
  return reportsOf(await snapshotFiles(directory));
}

/** Some snapshots of a directory, and how many there are. */
export interface NewestSnapshots {
  /** Sorted by name. */
  readonly newest: readonly SnapshotReport[];
  readonly count: number;
}

/** The snapshots that were written last; the other ones are not opened. */
async function newestSnapshots(directory: string, max: number): Promise<NewestSnapshots> {
  const files = await snapshotFiles(directory);
  if (files.length <= max) return { newest: await reportsOf(files), count: files.length };
  const written = await Promise.all(files.map(async (file) => ({ file, at: await writtenAt(file) })));
  const chosen = written.sort((one, other) => other.at - one.at).slice(0, max);
  return { newest: await reportsOf(chosen.map(({ file }) => file).sort()), count: files.length };
}

/** In milliseconds since the UNIX epoch; 0: the file was removed meanwhile. */
async function writtenAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

async function reportsOf(files: readonly string[]): Promise<readonly SnapshotReport[]> {
  const reports: SnapshotReport[] = [];
  for (const file of files) {
    // The file may be replaced or removed at any time.
    const snapshot = await openSnapshot(file).catch(() => null);
    if (snapshot === null) continue;
    const { fold, version, stream, last, writtenAt } = snapshot.header;
    await snapshot.close();
    const { size: bytes } = await stat(file);
    const { revision } = last;
    reports.push({ fold, version, stream, revision, writtenAt: new Date(writtenAt).toISOString(), bytes });
  }
  return reports;
}

/** Removes the snapshots of a directory and returns their number. A server may be using the directory. */
export async function dropSnapshots(directory: string): Promise<number> {
  const files = await snapshotFiles(directory);
  for (const file of files) await rm(file, { force: true });
  return files.length;
}

async function snapshotFiles(directory: string): Promise<readonly string[]> {
  try {
    const names = await readdir(directory);
    return names
      .filter((name) => name.endsWith(ENDING))
      .sort()
      .map((name) => join(directory, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The snapshots of a data directory. */
export class SnapshotList {
  private readonly directory: string;

  constructor(dataDirectory: string) {
    this.directory = snapshotsDirectory(dataDirectory);
  }

  newest(max: number): Promise<NewestSnapshots> {
    return newestSnapshots(this.directory, max);
  }

  /** Removes all snapshots; returns how many there were. */
  drop(): Promise<number> {
    return dropSnapshots(this.directory);
  }
}
