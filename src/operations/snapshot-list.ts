import {
  dropSnapshots,
  listSnapshots,
  type SnapshotReport,
} from '../stores/event-store/snapshots/list-snapshots.js';
import { snapshotsDirectory } from '../stores/event-store/snapshots/snapshots.js';

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
