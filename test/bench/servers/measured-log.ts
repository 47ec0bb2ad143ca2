import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EventStoreDbStandIn } from '../../support/eventstoredb-stand-in/stand-in.js';

/** What a log was asked so far. */
export interface LogCounts {
  readonly appends: number;
  /** Of streams. */
  readonly reads: number;
}

/** The EventStoreDB that is measured: the stand-in, or a server that runs already. */
export interface MeasuredLog {
  readonly url: string;
  /** Null where nobody counts. */
  readonly counts: () => LogCounts | null;
  readonly close: () => Promise<void>;
}

/** The server that `EVENTSTORE_URL` names, whose log is empty and is left full; else the stand-in. */
export async function openMeasuredLog(folder: string): Promise<MeasuredLog> {
  const given = process.env['EVENTSTORE_URL'];
  if (given !== undefined) return { url: given, counts: () => null, close: () => Promise.resolve() };
  const directory = join(folder, 'stand-in');
  await mkdir(directory);
  const standIn = await EventStoreDbStandIn.start({ directory });
  return {
    url: standIn.connectionString,
    counts: () => ({ appends: standIn.appends, reads: standIn.reads }),
    close: () => standIn.stop(),
  };
}
