import { dropSnapshots, listSnapshots } from '../../stores/event-store/snapshots/list-snapshots.js';
import { snapshotsDirectory } from '../../stores/event-store/snapshots/snapshots.js';
import { exitCodes, type CommandAction } from '../command.js';
import { tableOf } from '../terminal.js';

interface SnapshotsParameters {
  readonly drop?: boolean;
}

/** What `palimpsest projections snapshots` does. */
export const showSnapshots: CommandAction<SnapshotsParameters> = async (
  { drop },
  { configuration, terminal },
) => {
  const directory = snapshotsDirectory(configuration.dataDirectory);
  if (drop === true) {
    const dropped = await dropSnapshots(directory);
    await terminal.print(terminal.json ? JSON.stringify({ dropped }) : `Removed ${dropped}.`);
    return exitCodes.done;
  }
  const reports = await listSnapshots(directory);
  if (terminal.json) for (const report of reports) await terminal.print(JSON.stringify(report));
  else if (reports.length === 0) await terminal.print('There are none: no stream was long enough yet.');
  else {
    const headings = ['fold', 'version', 'stream', 'revision', 'written', 'size'];
    const rows = reports.map(({ fold, version, stream, revision, writtenAt, bytes }) => [
      fold,
      String(version),
      stream,
      String(revision),
      writtenAt,
      `${(bytes / 1_048_576).toFixed(1)} MiB`,
    ]);
    for (const line of tableOf(headings, rows)) await terminal.print(line);
  }
  return exitCodes.done;
};
