import type { Command } from 'commander';
import { runs } from '../command.js';

/** `palimpsest projections snapshots` */
export function snapshotsCommand(projections: Command): void {
  const snapshots = projections
    .command('snapshots')
    .summary('show the snapshots of long streams')
    .description(
      'Shows what the server keeps in DATA_DIR so that its first command on a long stream need not read it from the beginning: of which stream, up to which revision, since when, and how large. Snapshots are made and replaced by themselves. They are sealed, and whatever erases a person makes them unreadable.',
    )
    .option('--drop', 'remove them all: the next command on each stream reads it from the beginning');
  runs(snapshots, async () => (await import('./snapshots.js')).showSnapshots);
}
