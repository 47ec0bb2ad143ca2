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
  const reports: SnapshotReport[] = [];
  for (const file of await snapshotFiles(directory)) {
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

  read(): Promise<readonly SnapshotReport[]> {
    return listSnapshots(this.directory);
  }

  /** Removes all snapshots; returns how many there were. */
  drop(): Promise<number> {
    return dropSnapshots(this.directory);
  }
}
