import { EventStoreDbProcess } from '../../support/eventstoredb-stand-in/process.js';
import type { StandInCounts } from '../../support/eventstoredb-stand-in/stand-in.js';

/** The EventStoreDB that is measured: the stand-in, or a server that runs already. */
export interface MeasuredLog {
  readonly url: string;
  /** What the log was asked so far; null where nobody counts. */
  readonly counts: () => Promise<StandInCounts | null>;
  readonly close: () => Promise<void>;
}

/** The server that `EVENTSTORE_URL` names, whose log is empty and is left full; else the stand-in, as a process of its own. */
export async function openMeasuredLog(): Promise<MeasuredLog> {
  const given = process.env['EVENTSTORE_URL'];
  if (given !== undefined)
    return { url: given, counts: () => Promise.resolve(null), close: () => Promise.resolve() };
  const standIn = await EventStoreDbProcess.start();
  return { url: standIn.url, counts: () => standIn.counts(), close: () => standIn.remove() };
}
