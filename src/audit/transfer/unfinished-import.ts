import { existsSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { syncToDisk } from '../../runtime/data-directory.js';
import type { EventStore } from '../../stores/event-store/port.js';
import { unfinishedImportFile } from '../../stores/store-configuration.js';
import { ImportRefusedError } from './format.js';

/** Which log is imported where. */
interface ImportedLog {
  readonly dataDirectory: string;
  readonly eventStore: Pick<EventStore, 'head'>;
  /** Number of events in the export. */
  readonly events: number;
}

/** What an import finds where it begins. */
interface ImportBegun {
  /** Whether an import of this log was interrupted here. */
  readonly isResumed: boolean;
}

/**
 * Runs an import while a marker in the data directory keeps servers from starting there. The marker stays when the
 * import is interrupted or fails, unless it has not appended anything.
 *
 * @throws ImportRefusedError when a longer export was interrupted here: this one would leave a part of it
 */
export async function whileImporting<Result>(
  log: ImportedLog,
  work: (begun: ImportBegun) => Promise<Result>,
): Promise<Result> {
  const { dataDirectory, eventStore, events } = log;
  const marker = unfinishedImportFile(dataDirectory);
  const isResumed = existsSync(marker);
  if (isResumed) await refuseShorter(marker, events);
  const before = await eventStore.head();
  await writeMarker(dataDirectory, events);
  try {
    const result = await work({ isResumed });
    await removeMarker(dataDirectory);
    return result;
  } catch (error) {
    if (!isResumed && (await eventStore.head()) === before) await removeMarker(dataDirectory);
    throw error;
  }
}

async function refuseShorter(marker: string, events: number): Promise<void> {
  if (Number(await readFile(marker, 'utf8')) <= events) return;
  throw new ImportRefusedError(
    'The import of a longer export of this log was cut off here: finish that one, or import into an empty one.',
  );
}

async function writeMarker(dataDirectory: string, events: number): Promise<void> {
  await using handle = await open(unfinishedImportFile(dataDirectory), 'w', 0o600);
  await handle.writeFile(`${events}\n`);
  await handle.sync();
  await syncToDisk(dataDirectory);
}

async function removeMarker(dataDirectory: string): Promise<void> {
  await rm(unfinishedImportFile(dataDirectory));
  await syncToDisk(dataDirectory);
}
